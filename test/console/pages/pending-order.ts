import { randomBase62 } from '../../../src/security/base62.ts'
import { type CustomerKey, customerColumns } from '../../../src/storage/commerce/customer-key.ts'
import { insertOrderTry, type OrderTryRow } from '../../../src/storage/commerce/order-tries.ts'
import { insertOrder, type OrderRecord } from '../../../src/storage/commerce/orders.ts'
import type { Database } from '../../../src/storage/database.ts'
import { draftWithSecrets } from './planted-words.ts'

type Try = Omit<OrderTryRow, 'order_id'>

/** Inserts an order that was tried twice and waits, and returns its id. By default, accounting rejects it. */
export async function insertPendingOrder(
  db: Database,
  customer: CustomerKey,
  at: string,
  change: Partial<OrderRecord> = {},
  tries: readonly Try[] = [
    { number: 0, at, ms: 700, outcome: 'timeout', kind: 'no response in 700 ms' },
    { number: 1, at, ms: 40, outcome: 'rejected', kind: 'HTTP 422' },
  ],
): Promise<string> {
  const order_id = `ord_${randomBase62(22)}`
  await insertOrder(db, {
    ...customerColumns(customer),
    order_id,
    cart_id: `cart_${randomBase62(22)}`,
    status: 'PENDING',
    draft: draftWithSecrets(order_id, customer.customer_id),
    placed: null,
    acknowledged: true,
    leased_until: '2099-01-01T00:00:00.000Z',
    attempts: 1,
    reject_reason: null,
    created_at: at,
    updated_at: at,
    ...change,
  })
  for (const one of tries) await insertOrderTry(db, { order_id, ...one })
  return order_id
}
