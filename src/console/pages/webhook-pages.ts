import type { DeliveryAttempt } from '../../contract/webhook.ts'
import { Problem } from '../../errors.ts'
import { findDelivery, listDeliveries } from '../../storage/webhooks/deliveries.ts'
import { listAllSubscriptions } from '../../storage/webhooks/subscriptions.ts'
import type { ConsolePage } from '../console-page.ts'
import type { ConsolePagesParts } from '../page-list.ts'
import {
  requireWebhookSubscription,
  toDeliveryRowView,
  toEndpointView,
  toMerchantDirectory,
} from './webhook-page-view.ts'

const MOST_ENDPOINTS = 500
const MOST_DELIVERIES = 50

/** What is wrong comes first. */
const order = ['FAILING', 'DISABLED', 'ACTIVE']

/** Where events are sent, how that goes, and what came of each attempt. */
export function createWebhookPages(seen: Pick<ConsolePagesParts, 'db' | 'merchants' | 'now'>): ConsolePage[] {
  const { db } = seen
  const merchants = toMerchantDirectory(seen)

  const timeOf =
    ({ tenant_id }: { tenant_id: string }) =>
    (at: string) =>
      merchants.moment(at, tenant_id)

  const list: ConsolePage = {
    ...{ method: 'GET', path: '/webhooks', role: 'support', live: true },
    async answer() {
      const all = (await listAllSubscriptions(db)).toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
      const endpoints = all.slice(0, MOST_ENDPOINTS).map((each) => toEndpointView(each, merchants))
      const ofStatus = (status: string) => all.filter((each) => each.status === status).length
      const counts = { all: all.length, failing: ofStatus('FAILING'), disabled: ofStatus('DISABLED') }
      return { template: 'webhooks', title: 'Webhooks', view: { endpoints, counts } }
    },
  }

  const one: ConsolePage = {
    ...{ method: 'GET', path: '/webhooks/:id', role: 'support', live: true },
    async answer({ params }) {
      const subscription = await requireWebhookSubscription(db, params.id!)
      const page = { limit: MOST_DELIVERIES, offset: 0 }
      const { rows, hasMore } = await listDeliveries(db, subscription.subscription_id, page)
      const endpoint = toEndpointView(subscription, merchants)
      const types = JSON.parse(subscription.event_types) as string[]
      const view = {
        endpoint,
        types,
        deliveries: rows.map((row) => toDeliveryRowView(row, timeOf(subscription))),
        hasMore,
      }
      return { template: 'webhook', title: `Webhook ${endpoint.endpoint}`, view }
    },
  }

  const delivery: ConsolePage = {
    ...{ method: 'GET', path: '/webhooks/:id/deliveries/:delivery', role: 'support', live: true },
    async answer({ params }) {
      const subscription = await requireWebhookSubscription(db, params.id!)
      const found = await findDelivery(db, subscription.subscription_id, params.delivery!)
      if (!found) throw new Problem('not_found', 'There is no such delivery.')
      const time = timeOf(subscription)
      const attempts = (JSON.parse(found.log) as DeliveryAttempt[]).map(
        ({ number, at, duration_ms, response_status, error }) => ({
          ...{ number, duration_ms, response_status, error },
          at: time(at),
        }),
      )
      const view = {
        endpoint: toEndpointView(subscription, merchants),
        delivery: toDeliveryRowView(found, time),
        attempts,
      }
      return { template: 'delivery', title: `Delivery of ${found.event_type}`, view }
    },
  }

  return [list, one, delivery]
}
