import type { Call } from './call.ts'
import type { ChangePage, ChangeQuery, ChangeTimestamp } from './change-feed.ts'

/** Decimal string in the merchant's currency; never a binary number. */
export type Amount = string

export interface Price {
  sku: string
  /** Price of one base unit at the smallest quantity. */
  amount: Amount
  price_type: 'LIST' | 'CONTRACT'
  list_amount: Amount
  tax_included: boolean
  uom: string
  /** Quantity breaks, rising; decimal-string quantities in the base unit. Empty when the price does not depend on the quantity. */
  breaks: { min_quantity: string; amount: Amount }[]
  /** RFC 3339, UTC: when the price was read; while it stays the same, when it was first read. */
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
  /** Quantities are decimal strings in the base unit. A SKU may stand on several lines: its quantity breaks go by their sum. */
  lines: readonly { line_id: string; sku: string; quantity: string }[]
  /** Promotion codes, as the shopper typed them. */
  codes: readonly string[]
}

export interface QuotedLine {
  line_id: string
  sku: string
  /** What one base unit costs this customer at this quantity, before promotions. */
  unit_price: Amount
  list_unit_price: Amount
  price_type: 'LIST' | 'CONTRACT'
  tax_included: boolean
  /** What promotions take off the whole line: 0 or more, in the currency's digits, and never more than the line. */
  discount: Amount
}

export interface QuotedPromotion {
  /** In the system's own spelling. */
  code: string
  status: 'APPLIED' | 'NOT_APPLICABLE'
  reason: PromotionReason | null
  description: string | null
  /** Over all lines. */
  discount: Amount
}

export interface Quote {
  /** Lines that have a price; a SKU without one is left out, never priced at zero. */
  lines: QuotedLine[]
  /** One for each code, in their order. */
  promotions: QuotedPromotion[]
  /** RFC 3339, UTC. */
  as_of: string
}

/**
 * What Forecourt asks of the system that knows prices.
 * An adapter never invents a price: a SKU without one is left out. Every method rejects with UpstreamError alone.
 */
export interface PricingPort {
  readonly maxSkus: number
  /** List prices without a customer, that customer's contract prices with one (the customer's id in the back office). */
  prices(skus: readonly string[], customerId: string | null, call: Call): Promise<Price[]>
  /** What a cart costs a customer at this moment, with promotions. Left out by a system that knows no carts. */
  quote?(question: QuoteRequest, call: Call): Promise<Quote>
  /** As in InventoryPort. */
  readonly watermarkOverlapSeconds?: number
  /** SKUs of which some price changed, whosever. */
  priceChanges?(query: ChangeQuery, call: Call): Promise<ChangePage<ChangeTimestamp & { sku: string }>>
}
