import type { DeliveryAttempt } from '../../contract/webhook-delivery.ts'
import { createNotFound } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import { findDelivery, listDeliveries } from '../../storage/webhooks/deliveries.ts'
import { listAllSubscriptions } from '../../storage/webhooks/subscriptions.ts'
import type { ConsolePage } from '../console-page.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { requireWebhookSubscription, toDeliveryRowView, toEndpointView } from './webhook-page-view.ts'

const MAX_ENDPOINTS = 500
const MAX_DELIVERIES = 50

/** Failing endpoints come first. */
const statusOrder = ['FAILING', 'DISABLED', 'ACTIVE']

export interface WebhookPagesParts {
  db: Database
  merchants: MerchantDirectory
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

const createEndpointListPage = ({ db, merchants }: WebhookPagesParts): ConsolePage => ({
  method: 'GET',
  path: '/webhooks',
  role: 'support',
  isLive: true,
  async respond() {
    const subscriptions = (await listAllSubscriptions(db)).toSorted(
      (a, b) => statusOrder.indexOf(a.status) - statusOrder.indexOf(b.status),
    )
    const endpoints = subscriptions
      .slice(0, MAX_ENDPOINTS)
      .map((subscription) => toEndpointView(subscription, merchants))
    const countStatus = (status: string) => subscriptions.filter((row) => row.status === status).length
    const counts = { total: subscriptions.length, failing: countStatus('FAILING'), disabled: countStatus('DISABLED') }
    return { template: 'webhooks', title: 'Webhooks', view: { endpoints, counts } }
  },
})

const createEndpointPage = ({ db, merchants }: WebhookPagesParts): ConsolePage => ({
  method: 'GET',
  path: '/webhooks/:id',
  role: 'support',
  isLive: true,
  async respond({ params }) {
    const subscription = await requireWebhookSubscription(db, params.id!)
    const { rows, hasMore } = await listDeliveries(db, subscription.subscription_id, {
      limit: MAX_DELIVERIES,
      offset: 0,
    })
    const endpoint = toEndpointView(subscription, merchants)
    const toTime = createTimeFormatter(merchants, subscription)
    const view = {
      endpoint,
      eventTypes: JSON.parse(subscription.event_types) as string[],
      deliveries: rows.map((row) => toDeliveryRowView(row, toTime)),
      hasMore,
    }
    return { template: 'webhook', title: `Webhook ${endpoint.url}`, view }
  },
})

const createDeliveryPage = ({ db, merchants }: WebhookPagesParts): ConsolePage => ({
  method: 'GET',
  path: '/webhooks/:id/deliveries/:delivery',
  role: 'support',
  isLive: true,
  async respond({ params }) {
    const subscription = await requireWebhookSubscription(db, params.id!)
    const delivery = await findDelivery(db, subscription.subscription_id, params.delivery!)
    if (!delivery) throw createNotFound('delivery')
    const toTime = createTimeFormatter(merchants, subscription)
    const attempts = JSON.parse(delivery.log) as DeliveryAttempt[]
    const view = {
      endpoint: toEndpointView(subscription, merchants),
      delivery: toDeliveryRowView(delivery, toTime),
      // Without the response excerpt, which may contain secrets.
      attempts: attempts.map(({ number, at, duration_ms, response_status, error }) => ({
        number,
        at: toTime(at),
        durationMs: duration_ms,
        responseStatus: response_status,
        error,
      })),
    }
    return { template: 'delivery', title: `Delivery of ${delivery.event_type}`, view }
  },
})
