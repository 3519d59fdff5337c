import type { DeliveryAttempt } from '../../../contract/events/webhook-delivery.ts'
import { createNotFound } from '../../../errors.ts'
import type { Database } from '../../../storage/database.ts'
import { tenantOf } from '../../../storage/tenant-columns.ts'
import { findDelivery, listDeliveries } from '../../../storage/webhooks/deliveries.ts'
import { findEvent } from '../../../storage/webhooks/event-queries.ts'
import { listAllSubscriptions } from '../../../storage/webhooks/subscriptions.ts'
import { readAttemptStatistics } from '../../../webhooks/attempt-statistics.ts'
import type { EndpointState } from '../../../webhooks/endpoint-health.ts'
import type { ConsolePage } from '../../console-page.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toSearchPath } from '../../page-paths.ts'
import { redactWebhookResponse } from '../../text/redact-webhook-response.ts'
import { describeAttempt } from '../../text/webhook-attempt-text.ts'
import { requireWebhookSubscription } from './require-webhook-subscription.ts'
import { readWaitingDeliveries } from './waiting-deliveries-view.ts'
import { toAttemptStatisticsView } from './webhook-attempt-statistics-view.ts'
import { toDeliveryRowView } from './webhook-delivery-row-view.ts'
import { toEndpointView } from './webhook-endpoint-view.ts'

const MAX_ENDPOINTS = 500
const MAX_DELIVERIES = 50

/** The rates of an endpoint are those of its newest deliveries: of these in the list of all endpoints, and on its own page. */
const DELIVERIES_IN_LIST = 20
const DELIVERIES_OF_ENDPOINT = 200
/** The rates of this many endpoints are read for the list. */
const MAX_RATES = 50

/** Failing endpoints come first. */
const stateOrder: readonly EndpointState[] = ['failing', 'unstable', 'disabled', 'healthy']

export interface WebhookPagesParts {
  db: Database
  merchants: MerchantDirectory
  now: () => number
}

/** Creates the pages of endpoints, of one endpoint with its deliveries, and of one delivery with its attempts. */
export const createWebhookPages = (parts: WebhookPagesParts): ConsolePage[] => [
  createEndpointListPage(parts),
  createEndpointPage(parts),
  createDeliveryPage(parts),
]

const createTimeFormatter =
  (merchants: MerchantDirectory, { tenant_id }: { tenant_id: string }) =>
  (at: string) =>
    merchants.time(at, tenant_id)

const createEndpointListPage = ({ db, merchants, now }: WebhookPagesParts): ConsolePage => ({
  method: 'GET',
  path: '/webhooks',
  role: 'support',
  isLive: true,
  async respond() {
    const subscriptions = (await listAllSubscriptions(db)).filter(({ tenant_id }) => merchants.shows(tenant_id))
    const sorted = subscriptions
      .map((subscription) => toEndpointView(subscription, merchants.inOneTimeZone, now()))
      .toSorted((a, b) => stateOrder.indexOf(a.state) - stateOrder.indexOf(b.state))
    const endpoints = await Promise.all(
      sorted.slice(0, MAX_ENDPOINTS).map(async (endpoint, index) => {
        const [all] = index < MAX_RATES ? await readAttemptStatistics(db, endpoint.id, DELIVERIES_IN_LIST) : []
        return { ...endpoint, rates: all ? toAttemptStatisticsView(all) : null }
      }),
    )
    const countState = (state: EndpointState) => sorted.filter((endpoint) => endpoint.state === state).length
    const counts = {
      total: sorted.length,
      failing: countState('failing'),
      unstable: countState('unstable'),
      disabled: countState('disabled'),
    }
    const view = { endpoints, counts, deliveriesOfRates: DELIVERIES_IN_LIST }
    return { template: 'webhooks', title: 'Webhooks', view }
  },
})

const createEndpointPage = ({ db, merchants, now }: WebhookPagesParts): ConsolePage => ({
  method: 'GET',
  path: '/webhooks/:id',
  role: 'support',
  isLive: true,
  async respond({ params }) {
    const subscription = await requireWebhookSubscription({ db, merchants }, params.id!)
    const { rows, hasMore } = await listDeliveries(db, subscription.subscription_id, {
      limit: MAX_DELIVERIES,
      offset: 0,
    })
    const endpoint = toEndpointView(subscription, merchants, now())
    const toTime = createTimeFormatter(merchants, subscription)
    const view = {
      endpoint,
      waiting: await readWaitingDeliveries({ db, merchants }, { endpoint: subscription, now: now() }),
      eventTypes: JSON.parse(subscription.event_types) as string[],
      deliveries: rows.map((row) => toDeliveryRowView(row, toTime, now())),
      hasMore,
      statistics: (await readAttemptStatistics(db, subscription.subscription_id, DELIVERIES_OF_ENDPOINT)).map(
        toAttemptStatisticsView,
      ),
      deliveriesOfRates: DELIVERIES_OF_ENDPOINT,
    }
    return { template: 'webhook', title: `Webhook ${endpoint.url}`, view }
  },
})

const createDeliveryPage = ({ db, merchants, now }: WebhookPagesParts): ConsolePage => ({
  method: 'GET',
  path: '/webhooks/:id/deliveries/:delivery',
  role: 'support',
  isLive: true,
  async respond({ params }) {
    const subscription = await requireWebhookSubscription({ db, merchants }, params.id!)
    const delivery = await findDelivery(db, subscription.subscription_id, params.delivery!)
    if (!delivery) throw createNotFound('delivery')
    const toTime = createTimeFormatter(merchants, subscription)
    const attempts = JSON.parse(delivery.log) as DeliveryAttempt[]
    const event = await findEvent(db, tenantOf(subscription), delivery.event_id)
    const view = {
      endpoint: toEndpointView(subscription, merchants, now()),
      delivery: toDeliveryRowView(delivery, toTime, now()),
      subject: event && {
        type: event.resource_type.replaceAll('_', ' '),
        id: event.resource_id,
        href: event.resource_type === 'order' ? toSearchPath(event.resource_id) : null,
      },
      attempts: attempts.map((attempt) => ({
        number: attempt.number,
        at: toTime(attempt.at),
        durationMs: attempt.duration_ms,
        responseStatus: attempt.response_status,
        problem: describeAttempt(attempt),
        // It may contain secrets.
        response: attempt.response_excerpt === null ? '' : redactWebhookResponse(attempt.response_excerpt),
      })),
    }
    return { template: 'delivery', title: `Delivery of ${delivery.event_type}`, view }
  },
})
