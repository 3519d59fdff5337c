import type { OrderTryRow } from '../../../src/storage/commerce/order-tries.ts'
import { callTrace } from '../../diagnostics/diagnostics-setup.ts'
import { insertOpenCart, insertPlacedCart, placeOrder } from './insert-carts-and-orders.ts'
import type { OutageConsole } from './outage-console.ts'
import { MINUTE_MS } from './outage-times.ts'
import { type SystemOutage, toRequests } from './system-outage.ts'

const iso = (ms: number) => new Date(ms).toISOString()
const checkout = { route: 'checkout', method: 'POST', url: '/v1/checkout' } as const

/** Accounting accepts no connections. The order of C-7 is stored and waits; then calls are paused, and the checkout of C-8 is refused. */
export const refusingLedger: SystemOutage = {
  name: 'the ledger refuses connections',
  responses: [
    {
      ...{ ...checkout, status: 202, customerId: 'C-7', ms: 15 },
      failed: [{ name: 'checkout', system: 'accounting', failure: 'unavailable', summary: 'ECONNREFUSED' }],
    },
    {
      ...{ ...checkout, status: 503, code: 'circuit_open', customerId: 'C-8' },
      failed: [{ name: 'checkout', system: 'accounting', failure: 'circuit_open', openedBy: 'connection refused' }],
    },
  ],
  list: ['Checkout (accounting)', 'Connection refused × 2'],
  page: ['Nothing accepts connections at the address', 'Shoppers at least 2'],
}

/** Records it, and returns the order that waits, and when it is sent again. */
export async function recordRefusingLedger({ db, clock, recordOutage }: OutageConsole) {
  const at = clock.ms
  const nextAt = at + MINUTE_MS
  const kind = 'connection refused'
  const tries: Omit<OrderTryRow, 'order_id'>[] = [
    { number: 0, at: iso(at), ms: 14, outcome: 'unavailable', kind },
    { number: 1, at: iso(at + 2_000), ms: 0, outcome: 'circuit_open', kind },
  ]
  const order = await insertPlacedCart(db, 'C-7', at - 14, { leased_until: iso(nextAt) }, tries)
  const [stored, refused] = refusingLedger.responses
  const { cart_id } = await insertOpenCart(db, 'C-8', at)
  await recordOutage({
    ...refusingLedger,
    responses: [
      { ...stored!, cartId: order.cart_id },
      { ...refused!, cartId: cart_id },
    ],
  })
  return { order: order.order_id, nextAt }
}

/** The checkout of another customer is refused while calls are paused. */
export async function recordRefusedCheckout({ db, clock, record }: OutageConsole, customerId: string): Promise<void> {
  const { cart_id: cartId } = await insertOpenCart(db, customerId, clock.ms)
  const [, refused] = toRequests(refusingLedger, clock.ms - 1_000)
  await record([{ ...refused, cartId, customerId }])
}

/** Accounting did not respond to the checkout of C-55 and to the first retry. The second retry placed the order: it exists once. */
export async function recordDelayedOrder({ db, clock, record }: OutageConsole): Promise<string> {
  const at = clock.ms
  const tries = [0, 1].map((number) => ({
    ...{ number, ms: 700, outcome: 'timeout' as const, kind: 'no response in 700 ms' },
    at: iso(at + number * 2_000),
  }))
  const order = await insertPlacedCart(db, 'C-55', at - 700, { attempts: 2 }, tries)
  const requests = toRequests(delayingLedger, at)
  await record(requests.map((request) => ({ ...request, cartId: order.cart_id })))
  await placeOrder(db, order.order_id, 2, 'SO-1', at + MINUTE_MS)
  return order.order_id
}

/** The response to the checkout of C-56 was lost. Accounting had stored the order, and its change feed reports it before a retry is due. */
export async function recordReportedOrder({ db, clock, record }: OutageConsole): Promise<string> {
  const at = clock.ms
  const lost = { number: 0, at: iso(at), ms: 700, outcome: 'timeout' as const, kind: 'no response in 700 ms' }
  const order = await insertPlacedCart(db, 'C-56', at - 700, {}, [lost])
  const requests = toRequests(delayingLedger, at)
  await record(requests.map((request) => ({ ...request, customerId: 'C-56', cartId: order.cart_id })))
  const placed = { placed: JSON.stringify({ order_number: 'SO-2' }), order_number: 'SO-2' }
  await db
    .updateTable('orders')
    .set({ status: 'CONFIRMED', ...placed, updated_at: iso(at + 1_000) })
    .where('order_id', '=', order.order_id)
    .execute()
  return order.order_id
}

/** The response to the checkout of C-58 was lost. The change feed confirmed the order before the call was given up, so no response was degraded. */
export async function recordOrderReportedDuringCheckout({ db, clock, record }: OutageConsole, requestId: string) {
  const at = clock.ms
  const lost = { number: 0, at: iso(at - 35), ms: 3_000, outcome: 'timeout' as const, kind: 'no response in 2950 ms' }
  const placed = JSON.stringify({ order_number: 'SO-3' })
  const order = await insertPlacedCart(db, 'C-58', at - 3_035, { attempts: 0 }, [lost])
  const reported = { status: 'CONFIRMED', placed, order_number: 'SO-3', updated_at: iso(at - 100) } as const
  await db.updateTable('orders').set(reported).where('order_id', '=', order.order_id).execute()
  const call = { system: 'accounting', operation: 'placeOrder', outcome: 'timeout', at: at - 3_007, ms: 3_000 } as const
  const calls = [callTrace({ ...call, cause: 'no response in 2999 ms' })]
  await record([{ ...checkout, requestId, customerId: 'C-58', cartId: order.cart_id, ms: 3_035, calls }])
  return order.order_id
}

export const delayingLedger: SystemOutage = {
  name: 'an order looks doubled',
  responses: [
    {
      ...{ ...checkout, status: 202, customerId: 'C-55' },
      failed: [{ name: 'checkout', system: 'accounting', failure: 'timeout', summary: 'no response in 703 ms' }],
    },
  ],
  list: [],
  page: [],
}
