import type { Address } from './customer.ts'
import type { Amount, LineTax } from './pricing.ts'

/** A place where a customer can pick up an order. */
export interface PickupPlace {
  pickup_place_id: string
  name: string
  /** Such as the opening hours. */
  description: string | null
  address: Address | null
}

/** A way in which the ledger can get an order to its customer, with its price for that order. */
export interface DeliveryOption {
  delivery_option_id: string
  name: string
  /** Such as how long it takes. */
  description: string | null
  fulfillment_method: 'DELIVERY' | 'PICKUP'
  /** The price for the whole order, with tax when the prices of the order include it. "0" when it costs nothing. */
  price: Amount
  /** The tax on the price. `rate` is "0" for an exempt customer. `amount` is what the tax of the order rises by. */
  tax: LineTax
  /** Where the customer can pick up the order; empty when there is nothing to choose. */
  pickup_places: PickupPlace[]
}

/** What the price of a delivery depends on. */
export interface DeliveryOptionsQuery {
  customerId: string
  lines: { sku: string; quantity: string }[]
  /** Σ line_total of the order: after discounts, with tax. */
  goods_total: Amount
  /** Whether the prices of the order include the tax. */
  tax_included: boolean
  /** The promotion codes that the order has. Absent: none. */
  codes?: readonly string[]
  /** Where the order would be sent; `null`: not known. */
  shipping_address: Address | null
}

/** The delivery that was chosen for an order. Its price is the `shipping_total` of the order. */
export interface OrderDelivery {
  delivery_option_id: string
  name: string
  pickup_place: PickupPlace | null
}

/** Upper limits of what a system may offer for one order. */
export const MAX_DELIVERY_OPTIONS = 50
export const MAX_PICKUP_PLACES = 200
