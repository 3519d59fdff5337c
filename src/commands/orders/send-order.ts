import { UpstreamError } from '../../errors.ts'
import type { OrderDraft, PlaceOrderResult } from '../../ports/order.ts'
import { bindCartToOrder, type CartRecord, storeCartPricing } from '../../storage/commerce/carts.ts'
import { customerColumns } from '../../storage/commerce/customer-key.ts'
import { insertOrder, type OrderRecord } from '../../storage/commerce/orders.ts'
import { syncWal } from '../../storage/sync-wal.ts'
import { transact } from '../../storage/transact.ts'
import type { LivePricing } from '../carts/live-pricing.ts'
import { toStoredCartPricing } from '../carts/price-cart.ts'
import { type CustomerCommandContext, toCustomerKey } from '../command-context.ts'
import { type CheckoutOutcome, toOrderedOutcome } from './checkout-outcome.ts'
import { discardUnsentOrder, markOrderPending, type TransactionalWrite } from './order-transitions.ts'
import { recordOrderTry } from './record-order-try.ts'

/** The shopper waits this long for accounting. Meanwhile the lease keeps other processes from sending the order. */
const PLACE_ORDER_TIMEOUT_MS = 3_000
const MIN_PLACE_ORDER_TIMEOUT_MS = 400
const LEASE_MS = 8_000

/** Stores an order and binds its cart to it before it is sent. `null`: another process changed or ordered the cart meanwhile. */
export async function storePendingOrder(
  context: CustomerCommandContext,
  { cart_id, version, pricing: before }: CartRecord,
  draft: OrderDraft,
  live: LivePricing,
): Promise<OrderRecord | null> {
  const { db, now } = context.commerce
  const at = new Date(now()).toISOString()
  const record: OrderRecord = {
    ...customerColumns(toCustomerKey(context)),
    order_id: draft.reference,
    cart_id,
    status: 'PENDING',
    draft,
    placed: null,
    acknowledged: false,
    leased_until: new Date(now() + LEASE_MS).toISOString(),
    attempts: 0,
    reject_reason: null,
    created_at: at,
    updated_at: at,
  }
  const pricing = toStoredCartPricing({ version, pricing: before }, live, null, now())
  const isStored = await transact(db, async (transaction) => {
    if (!(await storeCartPricing(transaction, cart_id, version, pricing))) return false
    if (!(await bindCartToOrder(transaction, cart_id, version, record.order_id))) return false
    await insertOrder(transaction, record)
    return true
  })
  if (!isStored) return null
  // An order that accounting has and this store has lost would be placed a second time.
  await syncWal(db)
  return record
}

/** Places an order with accounting. Returns the UpstreamError if there is no usable response. */
export async function sendOrder(
  { backOffice, requestScope }: CustomerCommandContext,
  { draft }: OrderRecord,
): Promise<PlaceOrderResult | UpstreamError> {
  const timeoutMs = Math.max(MIN_PLACE_ORDER_TIMEOUT_MS, Math.min(PLACE_ORDER_TIMEOUT_MS, requestScope.leftMs()))
  try {
    return await backOffice.accounting.placeOrder(draft, { requestScope, priority: 'checkout', timeoutMs })
  } catch (error) {
    if (error instanceof UpstreamError) return error
    throw error
  }
}

/** The failures of calls that never left this process. */
const unsentFailures: ReadonlySet<string> = new Set(['circuit_open', 'maintenance', 'overloaded', 'not_configured'])

/** Discards an order that was never sent, and throws its failure. Any other order becomes PENDING and is retried. */
export async function handleMissingResponse(
  { commerce }: CustomerCommandContext,
  record: OrderRecord,
  failure: UpstreamError,
  alsoWrite: TransactionalWrite,
): Promise<CheckoutOutcome | null> {
  if (unsentFailures.has(failure.failure) && (await discardUnsentOrder(commerce, record))) throw failure
  const writeTry: TransactionalWrite = async (transaction, order) => {
    const startedAt = Date.parse(record.created_at)
    await recordOrderTry({ db: transaction, now: commerce.now }, order, { number: 0, startedAt, result: failure })
    await alsoWrite(transaction, order)
  }
  const pending = await markOrderPending(commerce, record, writeTry)
  return pending && toOrderedOutcome(pending, failure)
}
