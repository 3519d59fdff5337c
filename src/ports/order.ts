import type { Address, PaymentMethod } from './customer.ts'
import type { OrderDelivery } from './delivery.ts'
import type { Amount } from './pricing.ts'

export type OrderStatus =
  | 'PENDING'
  | 'CONFIRMED'
  | 'PARTIALLY_SHIPPED'
  | 'SHIPPED'
  | 'DELIVERED'
  | 'REJECTED'
  | 'CANCELLED'

export type PaymentStatus =
  | 'NOT_REQUIRED'
  | 'PENDING'
  | 'PROCESSING'
  | 'PAID'
  | 'FAILED'
  | 'EXPIRED'
  | 'CANCELLED'
  | 'REFUNDED'

/** A line of an order. Amounts are rounded half up to the decimals of the merchant's currency; a unit price may have up to six. Quantities are decimal strings in the base unit. */
export interface OrderLine {
  sku: string
  name: string
  quantity: string
  uom: string
  order_uom: string | null
  order_quantity: string | null
  unit_price: Amount
  list_unit_price: Amount | null
  /** The discount on the whole line, 0 or more. */
  discount: Amount
  tax: { code: string; rate: string; amount: Amount }
  /** unit_price × quantity − discount, plus the tax when prices exclude it. */
  line_total: Amount
}

export interface TaxTotal {
  code: string
  name: string
  rate: string
  /** The net amount that the tax applies to. */
  base: Amount
  amount: Amount
}

export interface OrderTotals {
  /** Σ unit_price × quantity, each line rounded. */
  subtotal: Amount
  discount_total: Amount
  /** Includes the tax on the delivery. */
  tax_total: Amount
  /** The price of the delivery, with tax when prices include it. 0 without one. */
  shipping_total: Amount
  /** Σ line_total + shipping_total, plus the tax on the delivery when prices exclude it. */
  total: Amount
  taxes: TaxTotal[]
  /** True when prices, and so the subtotal, include the tax. */
  tax_included: boolean
}

export interface OrderPromotion {
  code: string
  description: string | null
  discount: Amount
}

export interface OrderDraft {
  /** Identifies this order permanently: the `order_id` that shoppers see. */
  reference: string
  customer_id: string
  /** Set by Forecourt; clients cannot set it. */
  channel: 'ECOMMERCE'
  currency: string
  payment_method: PaymentMethod
  fulfillment_method: 'DELIVERY' | 'PICKUP'
  /** One of the delivery options of the ledger; absent or `null` when none was chosen. */
  delivery?: OrderDelivery | null
  shipping_address: Address | null
  billing_address: Address | null
  contact: { name: string | null; phone: string | null; email: string | null } | null
  po_number: string | null
  notes: string | null
  /** YYYY-MM-DD. */
  requested_date: string | null
  lines: OrderLine[]
  promotions: OrderPromotion[]
  totals: OrderTotals
}

export interface Shipment {
  shipment_id: string
  carrier: string | null
  tracking_number: string | null
  tracking_url: string | null
  shipped_at: string
  lines: { sku: string; quantity: string }[]
}

/** An order of the accounting system. Times are RFC 3339, UTC. */
export interface Order extends Omit<OrderDraft, 'reference' | 'channel' | 'payment_method'> {
  /** PREPAID: paid through a payment session of the ledger; Forecourt's checkout does not offer it. */
  payment_method: PaymentMethod | 'PREPAID'
  /** The ledger's own id. */
  order_id: string
  order_number: string
  /** The reference of the placement; `null` when the order was not placed through Forecourt. */
  reference: string | null
  status: OrderStatus
  payment_status: PaymentStatus
  placed_at: string
  updated_at: string
  shipments: Shipment[]
  /** True when any part of the order is invoiced. */
  invoiced: boolean
  cancelled_at: string | null
  cancel_reason: string | null
  history: { status: OrderStatus; at: string }[]
}

/** Identifies an order by the reference of its placement, or by the ledger's own id. */
export type OrderKey = { reference: string } | { order_id: string }

export interface OrderQuery {
  limit: number
  offset: number
  status?: OrderStatus
  /** RFC 3339, UTC, inclusive. */
  placed_since?: string
}

export interface OrderPage {
  orders: Order[]
  total: number | null
  has_more: boolean
}

/** The reason why a ledger refused an order. A refusal is final: the reference never creates an order. */
export type OrderRefusalReason =
  | 'OVER_CREDIT_LIMIT'
  | 'ACCOUNT_ON_HOLD'
  | 'LINE_UNAVAILABLE'
  | 'TOTALS_DISAGREE'
  | 'PAYMENT_METHOD_NOT_ALLOWED'

export type PlaceOrderResult =
  | { state: 'placed'; order: Order }
  | { state: 'refused'; reason: OrderRefusalReason; skus: string[]; available_credit: Amount | null }

export type CancelOrderResult = { state: 'cancelled'; order: Order } | { state: 'refused'; status: OrderStatus }

export interface Payment {
  session_id: string | null
  status: PaymentStatus
  amount_due: Amount
  amount_paid: Amount
  redirect_url: string | null
  expires_at: string | null
  updated_at: string
}
