import { UpstreamError } from '../../errors.ts'
import type { PlaceOrderResult } from '../../ports/order.ts'
import { insertOrderTry } from '../../storage/commerce/order-tries.ts'
import type { OrderRecord } from '../../storage/commerce/orders.ts'
import { failureKind } from '../../upstream/request/failure-kind.ts'
import type { CommandDependencies } from '../command-context.ts'

export type OrderTryResult = PlaceOrderResult | UpstreamError

/** Stores the response of accounting to one try of an order, for support staff. A first try that succeeds is not stored, because the order shows it. */
export function recordOrderTry(
  { db, now }: Pick<CommandDependencies, 'db' | 'now'>,
  { order_id }: Pick<OrderRecord, 'order_id'>,
  { number, startedAt, result }: { number: number; startedAt: number; result: OrderTryResult },
): Promise<void> {
  const endedAt = now()
  return insertOrderTry(db, {
    order_id,
    number,
    at: new Date(endedAt).toISOString(),
    ms: Math.max(0, endedAt - startedAt),
    ...describeResult(result),
  })
}

function describeResult(result: OrderTryResult) {
  if (result instanceof UpstreamError) return { outcome: result.failure, kind: failureKind(result) }
  return result.state === 'placed'
    ? { outcome: 'placed' as const, kind: 'placed' }
    : { outcome: 'refused' as const, kind: result.reason }
}
