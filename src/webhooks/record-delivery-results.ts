import type { Database } from '../storage/database.ts'
import { transact } from '../storage/transact.ts'
import { recordDeliveryOutcomes, supersedeOlderDeliveries } from '../storage/webhooks/delivery-queue.ts'
import {
  lockEndpoints,
  updateEndpointHealth,
  type WebhookEndpoint,
} from '../storage/webhooks/subscription-endpoints.ts'
import type { DeliveryResult } from './delivery-result.ts'
import {
  computeEndpointHealth,
  type EndpointHealth,
  type EndpointHealthSample,
  isEndpointHealthy,
} from './endpoint-health.ts'

/** A change of an endpoint's status that its deliveries caused. */
export interface EndpointStatusChange {
  subscription: WebhookEndpoint
  from: WebhookEndpoint['status']
  to: WebhookEndpoint['status']
  reason: WebhookEndpoint['disabled_reason']
}

/** The endpoints whose health was written, and the status changes among them. */
export interface EndpointUpdates {
  endpoints: WebhookEndpoint[]
  changes: EndpointStatusChange[]
}

export interface RecordDeliveryParts {
  db: Database
  holder: string
  /** Returns the endpoint as this process last read it. */
  findKnownEndpoint(subscriptionId: string): WebhookEndpoint | undefined
  now: () => number
}

/** The successes of a healthy endpoint are written once in this time, to avoid contention on its row. */
const SUCCESS_WRITE_INTERVAL_MS = 1_000

/** Writes delivery results and the resulting health of their endpoints in one transaction. */
export async function recordDeliveryResults(
  results: readonly DeliveryResult[],
  { db, holder, findKnownEndpoint, now }: RecordDeliveryParts,
): Promise<EndpointUpdates> {
  const bySubscription = Map.groupBy(results, ({ subscriptionId }) => subscriptionId)
  const changedIds = [...bySubscription]
    .filter(([id, ofEndpoint]) => affectsHealth(ofEndpoint, findKnownEndpoint(id)))
    .map(([id]) => id)
  const outcomes = results.map(({ outcome }) => outcome)
  const retriedIds = outcomes.filter(({ status }) => status === 'PENDING').map(({ delivery_id }) => delivery_id)
  const at = new Date(now()).toISOString()
  return transact(db, async (transaction) => {
    const endpoints = await lockEndpoints(transaction, changedIds)
    const recordedIds = await recordDeliveryOutcomes(transaction, holder, outcomes)
    await supersedeOlderDeliveries(
      transaction,
      retriedIds.filter((id) => recordedIds.has(id)),
      at,
    )
    const updates: EndpointUpdates = { endpoints: [], changes: [] }
    for (const before of endpoints) {
      const samples = bySubscription
        .get(before.subscription_id)!
        .flatMap(({ outcome, healthSample }) =>
          healthSample && recordedIds.has(outcome.delivery_id) ? [healthSample] : [],
        )
        .filter(({ url }) => url === before.endpoint_url)
      if (samples.length === 0) continue
      const subscription = await updateHealth(transaction, before, samples)
      const [from, to, reason] = [before.status, subscription.status, subscription.disabled_reason]
      updates.endpoints.push(subscription)
      if (from !== to) updates.changes.push({ subscription, from, to, reason })
    }
    return updates
  })
}

function affectsHealth(results: readonly DeliveryResult[], known: WebhookEndpoint | undefined): boolean {
  const samples = results.flatMap(({ healthSample }) => healthSample ?? [])
  const last = samples.at(-1)
  if (!last) return false
  if (!known || !isEndpointHealthy(known) || samples.some(({ outcome }) => outcome !== 'delivered')) return true
  return Date.parse(last.at) - Date.parse(known.last_success_at ?? '1970-01-01') >= SUCCESS_WRITE_INTERVAL_MS
}

async function updateHealth(
  transaction: Database,
  before: WebhookEndpoint,
  samples: readonly EndpointHealthSample[],
): Promise<WebhookEndpoint> {
  const after = samples.reduce<EndpointHealth>(computeEndpointHealth, healthOf(before))
  await updateEndpointHealth(transaction, before.subscription_id, after)
  return { ...before, ...after }
}

const healthOf = (endpoint: WebhookEndpoint): EndpointHealth => ({
  status: endpoint.status,
  disabled_reason: endpoint.disabled_reason,
  disabled_at: endpoint.disabled_at,
  consecutive_failures: endpoint.consecutive_failures,
  exhausted: endpoint.exhausted,
  failing_since: endpoint.failing_since,
  last_delivery_at: endpoint.last_delivery_at,
  last_success_at: endpoint.last_success_at,
})
