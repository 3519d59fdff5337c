import type { Database } from '../storage/database.ts'
import { transact } from '../storage/transact.ts'
import {
  lockEndpoints,
  recordDeliveryOutcomes,
  supersedeOlderDeliveries,
  updateEndpointHealth,
  type WebhookEndpoint,
} from '../storage/webhooks/delivery-queue.ts'
import type { DeliveryResult } from './delivery-result.ts'
import {
  computeEndpointHealth,
  type EndpointHealth,
  type EndpointHealthSample,
  isEndpointHealthy,
} from './endpoint-health.ts'

/** That what came of its deliveries has changed an endpoint's status. */
export interface EndpointStatusChange {
  subscription: WebhookEndpoint
  from: WebhookEndpoint['status']
  to: WebhookEndpoint['status']
  reason: WebhookEndpoint['disabled_reason']
}

/** The subscriptions that were written, as they are now, and which of them have another status. */
export interface EndpointUpdates {
  endpoints: WebhookEndpoint[]
  changes: EndpointStatusChange[]
}

export interface RecordDeliveryParts {
  db: Database
  holder: string
  /** As it was lately seen. */
  known(subscriptionId: string): WebhookEndpoint | undefined
  now: () => number
}

/** How often a success of an endpoint that has nothing but successes is noted: with each, its row would be in everybody's way. */
const NOTED_EVERY_MS = 1_000

/** Writes what came of some deliveries in one transaction, and what that says of their endpoints. */
export async function recordDeliveryResults(
  seen: readonly DeliveryResult[],
  { db, holder, known, now }: RecordDeliveryParts,
): Promise<EndpointUpdates> {
  const bySubscription = Map.groupBy(seen, ({ subscriptionId }) => subscriptionId)
  const telling = [...bySubscription].filter(([id, some]) => isTelling(some, known(id))).map(([id]) => id)
  const outcomes = seen.map(({ outcome }) => outcome)
  const again = outcomes.filter(({ status }) => status === 'PENDING').map(({ delivery_id }) => delivery_id)
  const at = new Date(now()).toISOString()
  return transact(db, async (transaction) => {
    const held = await lockEndpoints(transaction, telling)
    const ours = await recordDeliveryOutcomes(transaction, holder, outcomes)
    await supersedeOlderDeliveries(
      transaction,
      again.filter((id) => ours.has(id)),
      at,
    )
    const recorded: EndpointUpdates = { endpoints: [], changes: [] }
    for (const before of held) {
      const verdicts = bySubscription
        .get(before.subscription_id)!
        .flatMap(({ outcome, verdict }) => (verdict && ours.has(outcome.delivery_id) ? [verdict] : []))
        .filter(({ url }) => url === before.endpoint_url)
      if (verdicts.length === 0) continue
      const subscription = await judge(transaction, before, verdicts)
      const [from, to, reason] = [before.status, subscription.status, subscription.disabled_reason]
      recorded.endpoints.push(subscription)
      if (from !== to) recorded.changes.push({ subscription, from, to, reason })
    }
    return recorded
  })
}

function isTelling(some: readonly DeliveryResult[], known: WebhookEndpoint | undefined): boolean {
  const verdicts = some.flatMap(({ verdict }) => verdict ?? [])
  const last = verdicts.at(-1)
  if (!last) return false
  if (!known || !isEndpointHealthy(known) || verdicts.some(({ outcome }) => outcome !== 'delivered')) return true
  return Date.parse(last.at) - Date.parse(known.last_success_at ?? '1970-01-01') >= NOTED_EVERY_MS
}

async function judge(
  transaction: Database,
  before: WebhookEndpoint,
  verdicts: readonly EndpointHealthSample[],
): Promise<WebhookEndpoint> {
  const standing = standingOf(before)
  const after = verdicts.reduce<EndpointHealth>(computeEndpointHealth, standing)
  await updateEndpointHealth(transaction, before.subscription_id, after)
  return { ...before, ...after }
}

const standingOf = (endpoint: WebhookEndpoint): EndpointHealth => ({
  status: endpoint.status,
  disabled_reason: endpoint.disabled_reason,
  disabled_at: endpoint.disabled_at,
  consecutive_failures: endpoint.consecutive_failures,
  exhausted: endpoint.exhausted,
  failing_since: endpoint.failing_since,
  last_delivery_at: endpoint.last_delivery_at,
  last_success_at: endpoint.last_success_at,
})
