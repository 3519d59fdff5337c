import type { Generated } from 'kysely'
import type { UpstreamFailure } from '../../errors.ts'
import type { TenantColumns } from '../tenant-columns.ts'

export interface CommerceTables {
  carts: TenantColumns & {
    cart_id: string
    customer_id: string
    state: 'ACTIVE' | 'CONVERTED' | 'EXPIRED'
    /** Increases with every change. */
    version: number
    /** JSON. */
    lines: string
    /** JSON: the accepted promotion codes. */
    promotions: string
    /** JSON: the last pricing and the version that it priced; `null`: never priced. */
    pricing: string | null
    /** The order that this cart became, or is becoming. */
    order_id: string | null
    created_at: string
    updated_at: string
    expires_at: string
  }
  /** Orders placed here: at most one for a cart, ever. Those that accounting has move to `archived_orders` later. */
  orders: TenantColumns & {
    /** Also the reference in the accounting system. */
    order_id: string
    customer_id: string
    cart_id: string
    status: 'PENDING' | 'CONFIRMED' | 'REJECTED' | 'CANCELLED'
    /** JSON of an OrderDraft. It never changes, so that a retry sends the same request. */
    draft: string
    /** JSON of the order as the accounting system last returned it; `null` before its first response. */
    placed: string | null
    /** 1 when the shopper was informed that the order is being processed. */
    told: number
    /** Until then one process works on the order; after it any process may take over. */
    leased_until: string
    attempts: number
    reject_reason: string | null
    /** 1 when it is counted in `product_sales`. */
    counted: Generated<number>
    /** The ledger's number, as in `placed`; `null`: accounting has not confirmed it. */
    order_number: Generated<string | null>
    /** The credit that the order takes, where Forecourt reserves credit for accounting; cleared some time after the order is resolved. */
    reserved_credit: Generated<string | null>
    created_at: string
    updated_at: string
  }
  /** The tries to place an order that failed, and the one that succeeded after them: the first and the last few of each order. */
  order_tries: {
    order_id: string
    /** 0: by the checkout; then the retries, from 1. */
    number: number
    /** When the try ended. */
    at: string
    /** Whole milliseconds. */
    ms: number
    outcome: 'placed' | 'refused' | UpstreamFailure
    /** How it failed: `HTTP 422`, `connection refused`; for `refused`, the reason. */
    kind: string
  }
  /** Which cart became which order, for orders whose details are deleted. Kept forever. */
  archived_orders: TenantColumns & {
    cart_id: string
    order_id: string
    customer_id: string
  }
}
