import type { DeliveryAttempt } from '../../../src/contract/events/webhook-delivery.ts'
import type { Database } from '../../../src/storage/database.ts'
import { insertPendingOrder } from '../pages/pending-order.ts'
import { placeOrder } from './insert-carts-and-orders.ts'
import type { OutageConsole } from './outage-console.ts'
import { MINUTE_MS } from './outage-times.ts'

const TENANT = { merchant: 'acme', mode: 'live' } as const
const iso = (ms: number) => new Date(ms).toISOString()
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
