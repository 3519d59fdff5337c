import { toCartTimes } from '../../../src/commands/carts/cart-lifetime.ts'
import type { StoredCartPricing } from '../../../src/commands/carts/stored-cart-pricing.ts'
import type { DeliveryAttempt } from '../../../src/contract/webhook-delivery.ts'
import type { OrderLine } from '../../../src/ports/order.ts'
import { type CartRecord, insertCart, storeCartPricing } from '../../../src/storage/commerce/carts.ts'
import { insertOrderTry, type OrderTryRow } from '../../../src/storage/commerce/order-tries.ts'
import type { OrderRecord } from '../../../src/storage/commerce/orders.ts'
import type { Database } from '../../../src/storage/database.ts'
import { fitmentImports } from '../../../src/storage/fitment/fitment-imports.ts'
import { issueApiKey, revokeApiKey } from '../../../src/storage/keys/api-keys.ts'
import { writeAuditEntry } from '../../../src/storage/operators/audit-log.ts'
import { callTrace } from '../../diagnostics/diagnostics-setup.ts'
import { insertPendingOrder } from '../pages/pending-order.ts'
import { draftWithSecrets } from '../pages/planted-words.ts'
import { MINUTE_MS, type OutageConsole } from './console-with-recorded-outages.ts'
import { type SystemOutage, toRequests } from './system-outage-cases.ts'

const TENANT = { merchant: 'acme', mode: 'live' } as const
const iso = (ms: number) => new Date(ms).toISOString()

const brakePad = { sku: 'BP-1001', name: 'Brake pad', quantity: '1', uom: 'EA' }
const cartLine = { ...brakePad, line_id: 'line_1', order_uom: null, order_quantity: null }

/** Inserts a cart with a brake pad, which was filled five minutes before and priced a minute before. */
export async function insertOpenCart(db: Database, customer_id: string, at: number): Promise<CartRecord> {
  const cart = await insertUnpricedCart(db, customer_id, at)
  const pricedAt = at - MINUTE_MS
  const pricing: StoredCartPricing = {
    ...{ version: cart.version, complete_once: true, unpriced: [], promotions: [], lines: [], credit: null },
    priced_at: iso(pricedAt),
    expires_at: iso(pricedAt + 15 * MINUTE_MS),
    totals: draftWithSecrets('ref', customer_id).totals,
  }
  await storeCartPricing(db, cart.cart_id, cart.version, pricing)
  return { ...cart, pricing }
}

/** Inserts a cart that the shopper has filled and not looked at since. */
export const insertUnpricedCart = (db: Database, customer_id: string, at: number): Promise<CartRecord> =>
  insertCart(db, { ...TENANT, customer_id }, toCartTimes(at - 5 * MINUTE_MS), (empty) => ({
    ...empty,
    lines: [cartLine],
  }))

/** Inserts an order that waits, and its cart. An order is stored before accounting is called. */
async function insertPlacedCart(
  db: Database,
  customer_id: string,
  at: number,
  change: Partial<OrderRecord>,
  tries: readonly Omit<OrderTryRow, 'order_id'>[],
) {
  const { cart_id } = await insertOpenCart(db, customer_id, at)
  const line = { ...brakePad, line_total: '10.00' }
  const draft = { ...draftWithSecrets('ref', customer_id), lines: [line as OrderLine] }
  const waitsSince = tries[0]!.at
  const all = { updated_at: waitsSince, ...change, cart_id, draft }
  const order_id = await insertPendingOrder(db, { ...TENANT, customer_id }, iso(at), all, tries)
  const converted = { order_id, state: 'CONVERTED', updated_at: waitsSince } as const
  await db.updateTable('carts').set(converted).where('cart_id', '=', cart_id).execute()
  return { order_id, cart_id }
}

/** Accounting placed an order at its next attempt. */
export async function placeOrder(db: Database, order_id: string, attempt: number, order_number: string, at: number) {
  await insertOrderTry(db, { order_id, number: attempt, at: iso(at), ms: 40, outcome: 'placed', kind: '' })
  const placed = { status: 'CONFIRMED', placed: JSON.stringify({ order_number }), order_number } as const
  await db
    .updateTable('orders')
    .set({ ...placed, attempts: attempt, updated_at: iso(at) })
    .where('order_id', '=', order_id)
    .execute()
}

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

/** Anna revokes the key of a till that still sends it. */
export async function recordRevokedKey({ db, clock, record }: OutageConsole, refusals: number) {
  const at = clock.ms
  const { record: key } = await issueApiKey(db, { ...TENANT, kind: 'secret', label: 'till 4' })
  clock.ms -= MINUTE_MS
  await record([{ keyId: key.key_id, sections: undefined, calls: undefined, ms: 1 }], MINUTE_MS)
  const before = { created_at: iso(at - 90 * 24 * 60 * MINUTE_MS), last_used_at: iso(at - MINUTE_MS) }
  await db.updateTable('api_keys').set(before).where('key_id', '=', key.key_id).execute()
  await revokeApiKey(db, key.key_id, new Date(at))
  const entry = { operator: 'anna', role: 'operator', action: 'key.revoke', address: null, outcome: 'done' } as const
  await writeAuditEntry(db, { ...entry, target: { key: key.key_id } }, at)
  const refusal = { tenant: null, keyId: key.key_id, status: 401, code: 'invalid_api_key', endedKeyOf: TENANT, ms: 1 }
  const refused = { ...refusal, route: 'none', sections: undefined, calls: undefined }
  await record(
    Array.from({ length: refusals }, (_, index) => ({
      ...refused,
      requestId: index === 0 ? `one-${at}` : `till-${index}`,
    })),
    20_000,
  )
  return key
}

/** The store fails for ten seconds: a new cart and a checkout are refused. */
export async function recordStoreOutage({ db, diagnostics, storeState, clock, record }: OutageConsole, reason: string) {
  const at = clock.ms
  const { cart_id: cartId } = await insertOpenCart(db, 'C-9', at)
  storeState.outage = { beganAt: at, reason, isUnreachable: false }
  const refusal = { method: 'POST', status: 503, code: 'store_unavailable', ms: 4 }
  await record(
    [
      { ...refusal, requestId: `cart-${at}`, route: 'createCart', url: '/v1/carts', customerId: 'C-12' },
      {
        ...{
          ...refusal,
          requestId: `checkout-${at}`,
          route: 'checkout',
          url: '/v1/checkout',
          customerId: 'C-9',
          cartId,
        },
        calls: [callTrace({ operation: 'quote', at: at + 4_990 })],
      },
    ],
    5_000,
  )
  return {
    cartId,
    async end() {
      clock.ms += 1_000
      await diagnostics.flush()
      storeState.outage = null
      clock.ms += 1_000
      await diagnostics.flush()
      clock.ms += 6_000
      await diagnostics.flush()
    },
  }
}

const DAY_MS = 24 * 60 * MINUTE_MS

/** An import of fitment with wrong years is refused. Two weeks before, one succeeded. */
export async function recordRefusedImport({ db, clock }: OutageConsole): Promise<void> {
  const loaded = { import_id: clock.ms % 1_000_000, source: 'fitment-october.csv', at: iso(clock.ms - 14 * DAY_MS) }
  await fitmentImports.create(db, TENANT, loaded)
  const { import_id, at: loadedAt } = loaded
  const replaces = (await fitmentImports.findCurrent(db, TENANT))?.import_id ?? null
  const counts = { vehicles: 40, skus: 12, fitments: 85, universal: 5 }
  await fitmentImports.activate(db, TENANT, { import_id, replaces, counts, at: loadedAt })
  const bad = Array.from({ length: 10 }, (_, index) => ({
    ...{ line: 3 + index, mistake: `year "20I${index}" is not a year from 1900 to 2100, or a range of them` },
  }))
  const file = { source: 'fitment.csv', outcome: 'refused', lines: 90, badLines: 14, bad, account: 'deploy' }
  const command = { operator: 'command line', role: 'command', address: null, outcome: 'failed' } as const
  const target = { ...TENANT, ...file }
  await writeAuditEntry(db, { ...command, action: 'fitment.import', target }, clock.ms)
}

/** A shopper has tried to sign in with too many wrong passwords. */
export async function recordLockedOutShopper({ clock, record }: OutageConsole, name: string, count: number) {
  const at = clock.ms
  const request = { route: 'logInShopper', method: 'POST', url: '/v1/shoppers/login', status: 429, ms: 30 }
  const refusals = Array.from({ length: count }, (_, index) => ({
    ...{ ...request, requestId: `by-${name}-${at + index}`, code: 'rate_limited', sections: undefined },
    reachedLimit: { name, retryAfterSeconds: 600 - index },
  }))
  await record(refusals)
  return refusals.map(({ requestId }) => requestId)
}

const ENDPOINT = 'whk_0000000000000000000001'

/** When an event is sent, after its creation. The fourth attempt is half an hour after the third. */
const RETRIES_MS = [0, 5_000, 5 * MINUTE_MS + 5_000]
export const NEXT_ATTEMPT_MS = 35 * MINUTE_MS + 5_000

/** An endpoint responds with 500 to three events, each of which is tried three times. */
export async function recordFailingEndpoint({ db, clock }: OutageConsole): Promise<string> {
  const at = clock.ms
  clock.ms += 20 * MINUTE_MS
  const ids = { tenant_id: 'acme', mode: 'live' as const, subscription_id: ENDPOINT }
  const none = { description: null, disabled_reason: null, disabled_at: null }
  const secret = { secret: 'x', secret_hint: 'abcd', previous_secret: null, previous_secret_expires_at: null }
  const failures = {
    status: 'ACTIVE' as const,
    consecutive_failures: 9,
    exhausted: 0,
    failing_since: iso(at),
  }
  const times = { created_at: iso(at - 90 * 24 * 60 * MINUTE_MS), updated_at: iso(at) }
  const latest = {
    last_delivery_at: iso(at + 2 * MINUTE_MS + RETRIES_MS[2]!),
    last_success_at: iso(at - 5 * MINUTE_MS),
  }
  const endpoint_url = 'https://erp.acme.example/hooks'
  await db
    .insertInto('subscriptions')
    .values({ ...ids, ...none, ...secret, ...failures, ...times, ...latest, endpoint_url, event_types: '["order.*"]' })
    .execute()
  for (const index of [0, 1, 2]) await insertFailingDelivery(db, ids, index, at + index * MINUTE_MS)
  await insertDelivery(db, ids, -1, at - 5 * MINUTE_MS, [
    {
      number: 1,
      at: iso(at - 5 * MINUTE_MS),
      duration_ms: 80,
      response_status: 204,
      error: null,
      response_excerpt: null,
    },
  ])
  return ENDPOINT
}

/** The endpoint accepts events again, and gets those that waited. */
export async function recoverEndpoint({ db, clock }: OutageConsole): Promise<void> {
  const at = iso(clock.ms)
  const healthy = { consecutive_failures: 0, failing_since: null, last_success_at: at, last_delivery_at: at } as const
  await db.updateTable('subscriptions').set(healthy).where('subscription_id', '=', ENDPOINT).execute()
  const pending = db.selectFrom('deliveries').select(['delivery_id', 'log']).where('status', '=', 'PENDING')
  for (const { delivery_id, log } of await pending.where('subscription_id', '=', ENDPOINT).execute()) {
    const attempts = JSON.parse(log) as DeliveryAttempt[]
    const accepted = { number: attempts.length + 1, at, duration_ms: 80, response_status: 204, error: null }
    attempts.push({ ...accepted, response_excerpt: null })
    const counted = { log: JSON.stringify(attempts), attempts: attempts.length }
    const delivered = { status: 'DELIVERED', ended_at: at, response_status: 204, ...counted } as const
    await db.updateTable('deliveries').set(delivered).where('delivery_id', '=', delivery_id).execute()
  }
}

type EndpointIds = { tenant_id: string; mode: 'live'; subscription_id: string }

function insertFailingDelivery(db: Database, ids: EndpointIds, index: number, at: number): Promise<void> {
  const attempts = RETRIES_MS.map((afterMs, index) => ({
    ...{ number: index + 1, at: iso(at + afterMs), duration_ms: 80, response_status: 500, error: null },
    response_excerpt: 'Internal Server Error',
  }))
  return insertDelivery(db, ids, index, at, attempts)
}

/** The delivery of an event of an order: delivered if the last of its attempts is, or else due at its fourth attempt. */
async function insertDelivery(
  db: Database,
  { subscription_id, ...tenant }: EndpointIds,
  index: number,
  at: number,
  attempts: readonly DeliveryAttempt[],
): Promise<void> {
  const order_id = await insertPendingOrder(db, { ...TENANT, customer_id: `C-${60 + index}` }, iso(at), {}, [])
  const order_number = `SO-${100 + index}`
  await placeOrder(db, order_id, 0, order_number, at)
  const suffix = index < 0 ? 9 : index
  const [event_id, type] = [`evt_${String(suffix).padStart(22, '0')}`, 'order.confirmed']
  const event = {
    ...tenant,
    event_id,
    type,
    resource_type: 'order',
    resource_id: order_number,
    sequence: 1,
    data: '{}',
  }
  await db
    .insertInto('events')
    .values({ ...event, created_at: iso(at) })
    .execute()
  const { response_status } = attempts.at(-1)!
  const isDelivered = response_status! < 300
  const status = isDelivered ? 'DELIVERED' : 'PENDING'
  const state = { status, cause: 'EVENT', attempts: attempts.length, log: JSON.stringify(attempts) } as const
  const times = { created_at: iso(at), due_at: iso(at + NEXT_ATTEMPT_MS), ended_at: isDelivered ? iso(at) : null }
  const rest = { coalesce: null, lease: null, response_status, event_id, event_type: type }
  const delivery_id = `00000000-0000-4000-8000-00000000000${suffix}`
  await db
    .insertInto('deliveries')
    .values({ ...tenant, subscription_id, delivery_id, ...state, ...times, ...rest })
    .execute()
}
