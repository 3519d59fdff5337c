import type { Call } from './call.ts'
import type { ChangePage, ChangeQuery, ChangeTimestamp } from './change-feed.ts'

/** A decimal string in the merchant's currency; never a binary number. */
export type Amount = string

export interface Price {
  sku: string
  /** The price of one base unit at the smallest quantity. */
  amount: Amount
  price_type: 'LIST' | 'CONTRACT'
  list_amount: Amount
  tax_included: boolean
  uom: string
  /** Quantity breaks in ascending order; decimal-string quantities in the base unit. Empty when the price does not depend on the quantity. */
  breaks: { min_quantity: string; amount: Amount }[]
  /** RFC 3339, UTC: the time of the first read of this price since its last change. */
  as_of: string
}

export type PromotionReason =
  | 'UNKNOWN_CODE'
  | 'EXPIRED'
  | 'NOT_STARTED'
  | 'LIMIT_REACHED'
  | 'CUSTOMER_NOT_ELIGIBLE'
  | 'MINIMUM_NOT_MET'
  | 'NO_ELIGIBLE_LINES'
  | 'NOT_COMBINABLE'

export interface QuoteRequest {
  customerId: string
  /** Quantities are decimal strings in the base unit. Quantity breaks apply to the sum of a SKU over all lines. */
  lines: readonly { line_id: string; sku: string; quantity: string }[]
  /** Promotion codes, as the shopper typed them. */
  codes: readonly string[]
}

export interface LineTax {
  code: string
  name: string
  /** A fraction as a decimal string: "0.15". It does not have taxes of an amount per unit. */
  rate: string
  /**
   * The tax on the whole line after its discount, rounded to the currency's decimals, where it is not the rate of the line: taxes per
   * unit, taxes that are rounded one by one, and taxes that are rounded over the whole cart.
   */
  amount?: Amount | undefined
}

export interface QuotedLine {
  line_id: string
  sku: string
  /** The price of one base unit for this customer at this quantity, before promotions. */
  unit_price: Amount
  list_unit_price: Amount
  price_type: 'LIST' | 'CONTRACT'
  tax_included: boolean
  /** The discount of promotions on the whole line: 0 or more, rounded to the currency's decimals, at most the price of the line. */
  discount: Amount
  /** See `PricingPort.quotesTaxes`. */
  tax?: LineTax | undefined
}

export interface QuotedPromotion {
  /** In the spelling of the system. */
  code: string
  status: 'APPLIED' | 'NOT_APPLICABLE'
  reason: PromotionReason | null
  description: string | null
  /** The sum over all lines. */
  discount: Amount
}

export interface Quote {
  /** Omits lines without a price; never prices them at zero. */
  lines: QuotedLine[]
  /** One for each code, in the same order. */
  promotions: QuotedPromotion[]
  /** RFC 3339, UTC. */
  as_of: string
}

/**
 * The port of the system that holds prices.
 * An adapter never invents a price: it omits SKUs without one. Every method rejects only with UpstreamError.
 */
export interface PricingPort {
  readonly maxSkus: number
  /** Returns list prices, or the prices of a customer (the customer's id in the back office). */
  prices(skus: readonly string[], customerId: string | null, call: Call): Promise<Price[]>
  /** Prices a cart for a customer, with promotions. Absent when the system cannot price carts. */
  quote?(request: QuoteRequest, call: Call): Promise<Quote>
  /**
   * True: each line of a quote has its tax for this customer, as the accounting port would return it, and `AccountingPort.taxes` is
   * not called for carts. Only for a system that is also the merchant's accounting system.
   */
  readonly quotesTaxes?: boolean
  /**
   * Applies promotions to the lines of a quote, for a system whose `quote` cannot: `quote` is then called without codes. Returns
   * the same lines with their discounts, and one promotion for each code of the request. Also called when there are no
   * codes, for promotions that need none.
   */
  promotions?(request: QuoteRequest, lines: readonly QuotedLine[], call: Call): Promise<Omit<Quote, 'as_of'>>
  /** See InventoryPort. */
  readonly watermarkOverlapSeconds?: number
  /** The change feed of SKUs with a change of any list or contract price. */
  priceChanges?(query: ChangeQuery, call: Call): Promise<ChangePage<ChangeTimestamp & { sku: string }>>
}
