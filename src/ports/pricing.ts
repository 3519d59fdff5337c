import type { Call } from './call.ts'

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

/**
 * What Forecourt asks of the system that knows prices.
 * An adapter never invents a price: a SKU without one is left out. Every method rejects with UpstreamError alone.
 */
export interface PricingPort {
  readonly maxSkus: number
  /** List prices without a customer, that customer's contract prices with one (the customer's id in the back office). */
  prices(skus: readonly string[], customerId: string | null, call: Call): Promise<Price[]>
}
