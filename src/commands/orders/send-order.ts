import { UpstreamError } from '../../errors.ts'
import type { PlaceOrderResult } from '../../ports/order.ts'
import { markConfirmedOrderAcknowledged, type OrderRecord } from '../../storage/commerce/orders.ts'
import { transact } from '../../storage/transact.ts'
import type { CustomerCommandContext } from '../command-context.ts'
import { type CheckoutOutcome, toOrderedOutcome } from './checkout-outcome.ts'
import { discardUnsentOrder, markOrderPending, type TransactionalWrite } from './order-transitions.ts'
import { recordOrderTry } from './record-order-try.ts'

/** The shopper waits this long for accounting. Meanwhile the lease keeps other processes from sending the order. */
const PLACE_ORDER_TIMEOUT_MS = 3_000
const MIN_PLACE_ORDER_TIMEOUT_MS = 400

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

/** The failures of orders that accounting has not received. */
const unsentFailures: ReadonlySet<string> = new Set([
  'circuit_open',
  'maintenance',
  'overloaded',
  'not_configured',
  'misconfigured',
])

/** Discards an order that was never sent, and throws its failure. Any other order becomes PENDING and is retried. `null`: it has been resolved meanwhile. */
export async function handleMissingResponse(
  { commerce }: CustomerCommandContext,
  record: OrderRecord,
  failure: UpstreamError,
  alsoWrite: TransactionalWrite,
): Promise<CheckoutOutcome | null> {
  if (unsentFailures.has(failure.failure) && (await discardUnsentOrder(commerce, record))) throw failure
  const failed = { number: 0, startedAt: Date.parse(record.created_at), result: failure }
  const pending = await markOrderPending(commerce, record, async (transaction, order) => {
    await recordOrderTry({ db: transaction, now: commerce.now }, order, failed)
    await alsoWrite(transaction, order)
  })
  if (pending) return toOrderedOutcome(pending, failure)
  // The change feed may have confirmed the order during the call, which then got no response all the same.
  await transact(commerce.db, async (transaction) => {
    if (!(await markConfirmedOrderAcknowledged(transaction, record))) return
    await recordOrderTry({ db: transaction, now: commerce.now }, record, failed)
  })
  return null
}
