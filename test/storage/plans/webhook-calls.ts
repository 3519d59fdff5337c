import { eventKinds } from '../../../src/contract/events/event-types.ts'
import * as catalogEvents from '../../../src/storage/changes/list-catalog-events.ts'
import * as deliveries from '../../../src/storage/webhooks/deliveries.ts'
import * as queue from '../../../src/storage/webhooks/delivery-queue.ts'
import * as positions from '../../../src/storage/webhooks/event-positions.ts'
import * as events from '../../../src/storage/webhooks/event-queries.ts'
import * as held from '../../../src/storage/webhooks/held-events.ts'
import * as outbox from '../../../src/storage/webhooks/outbox.ts'
import * as endpoints from '../../../src/storage/webhooks/subscription-endpoints.ts'
import * as subscriptions from '../../../src/storage/webhooks/subscriptions.ts'
import * as undelivered from '../../../src/storage/webhooks/undelivered-events.ts'
import * as waiting from '../../../src/storage/webhooks/waiting-deliveries.ts'
import { at, combinations, type QueryCalls, tenant, tenantRow } from './query-combinations.ts'

const id = 'whk_0000000000000000000000'
const delivery_id = '00000000-0000-4000-8000-000000000000'
const event_id = 'evt_0000000000000000000000'
const outcome = { delivery_id, status: 'DELIVERED' as const, attempts: 1, log: '[]', due_at: at, response_status: 200 }
const deliveryRow = { ...tenantRow, delivery_id, subscription_id: id, event_id, event_type: 'x', coalesce: null }
const range = { since: at, until: at }
const coalescedTypes = [...outbox.coalescedEventKinds]
const missed = { ...range, subscriptionId: id, types: eventKinds, coalescedTypes }
const event = { ...tenant, resource: { type: 'stock' as const, id: 'BP-1' }, data: {}, at }

export const webhookModules = [
  ...[
    catalogEvents,
    deliveries,
    queue,
    endpoints,
    events,
    held,
    positions,
    outbox,
    subscriptions,
    undelivered,
    waiting,
  ],
]

/** Calls each function that queries events, subscriptions and deliveries. */
export const webhookCalls: QueryCalls = {
  listCatalogEventsAfter: (db) => [catalogEvents.listCatalogEventsAfter(db, { created_at: at, event_id }, 9)],
  listDeliveries: (db) =>
    combinations({ status: 'EXHAUSTED' as const, event_type: 'order.shipped', event_id, since: at }).map((more) =>
      deliveries.listDeliveries(db, id, { ...more, limit: 9, offset: 0 }),
    ),
  listAttemptLogs: (db) => [deliveries.listAttemptLogs(db, id, 9)],
  findDelivery: (db) => [deliveries.findDelivery(db, id, delivery_id)],
  insertDeliveries: (db) => [
    deliveries.insertDeliveries(db, [{ ...deliveryRow, ...outbox.createPendingDelivery(at, at) }]),
  ],
  cancelPendingDeliveries: (db) => [deliveries.cancelPendingDeliveries(db, id, at)],
  deleteDeliveries: (db) => [deliveries.deleteDeliveries(db, id, 9)],
  findDueSubscriptions: (db) => [queue.findDueSubscriptions(db, at)],
  findEndpoints: (db) => [endpoints.findEndpoints(db, [id])],
  lockEndpoints: (db) => [endpoints.lockEndpoints(db, [id])],
  leaseDeliveries: (db) => [
    queue.leaseDeliveries(db, { subscriptionId: id, holder: 'p', now: at, until: at, limit: 9 }),
  ],
  findEventRows: (db) => [events.findEventRows(db, [event_id])],
  releaseDeliveries: (db) => [queue.releaseDeliveries(db, 'p', [delivery_id], at)],
  recordDeliveryOutcomes: (db) => [queue.recordDeliveryOutcomes(db, 'p', [{ ...outcome, ended_at: at }])],
  supersedeOlderDeliveries: (db) => [queue.supersedeOlderDeliveries(db, [delivery_id], at)],
  updateEndpointHealth: (db) => [endpoints.updateEndpointHealth(db, id, { exhausted: 0 })],
  findEvent: (db) => [events.findEvent(db, tenant, event_id)],
  listHeldEvents: (db) => [held.listHeldEvents(db, tenant, at)],
  releaseEvents: (db) => [held.releaseEvents(db, [event_id], { now: at, until: at })],
  holdEvents: (db) => [held.holdEvents(db, tenant, { now: at, soon: at, until: at })],
  listEventsInRange: (db) => [events.listEventsInRange(db, tenant, { after: 0, to: 9, types: eventKinds, limit: 9 })],
  numberEvents: (db) => [
    outbox
      .appendEvent(db, { ...event, type: 'stock.changed' })
      .then(() => positions.numberEvents(db, tenant, Date.parse(at))),
  ],
  listUnnumberedTenants: (db) => [positions.listUnnumberedTenants(db, Date.parse(at))],
  readLastPosition: (db) => [positions.readLastPosition(db, tenant)],
  findNextPosition: (db) => [positions.findNextPosition(db, tenant, 0)],
  findLowestPosition: (db) => [positions.findLowestPosition(db, tenant, { created_at: at, event_id }, 9)],
  listUndeliveredEvents: (db) => [undelivered.listUndeliveredEvents(db, tenant, missed, null)],
  listWaitingDeliveries: (db) => [waiting.listWaitingDeliveries(db, id, null, 9)],
  isDeliveryUnderWay: (db) => [waiting.isDeliveryUnderWay(db, id, at)],
  listPendingDeliveries: (db) => [waiting.listPendingDeliveries(db, id, 9)],
  setDueTimes: (db) => [waiting.setDueTimes(db, [{ delivery_id, due_at: at }])],
  appendEvent: (db) => [outbox.appendEvent(db, { ...event, type: 'stock.changed' })],
  listSubscriptions: (db) => [subscriptions.listSubscriptions(db, tenant)],
  listAllSubscriptions: (db) => [subscriptions.listAllSubscriptions(db)],
  findSubscription: (db) => [subscriptions.findSubscription(db, tenant, id)],
  lockSubscription: (db) => [subscriptions.lockSubscription(db, tenant, id)],
  lockTenantSubscriptions: (db) => [subscriptions.lockTenantSubscriptions(db, tenant)],
  insertSubscription: (db) => [subscriptions.insertSubscription(db, subscriptionRecord(id))],
  updateSubscription: (db) => [subscriptions.updateSubscription(db, id, { exhausted: 0 })],
  deleteSubscription: (db) => [subscriptions.deleteSubscription(db, 'whk_other')],
}

const subscriptionRecord = (subscription_id: string): subscriptions.SubscriptionRecord => ({
  ...tenantRow,
  subscription_id,
  endpoint_url: 'https://shop.example/',
  event_types: ['*'],
  description: null,
  status: 'ACTIVE',
  disabled_reason: null,
  disabled_at: null,
  secret: 'x',
  secret_hint: 'x',
  previous_secret: null,
  previous_secret_expires_at: null,
  consecutive_failures: 0,
  exhausted: 0,
  failing_since: null,
  last_delivery_at: null,
  last_success_at: null,
  created_at: at,
  updated_at: at,
})
