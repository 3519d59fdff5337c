import { until } from '../until.ts'
import type { ExampleCaller } from './example-caller.ts'

const as = 'secret'

/** Subscribes an endpoint to every event. Returns the id of the subscription. */
export async function subscribe({ call }: ExampleCaller, endpoint_url: string): Promise<string> {
  const request = { endpoint_url, event_types: ['order.*', 'stock.changed'], description: 'The shop’s back end' }
  const { subscription_id } = await call('createWebhook', { request, as })
  return subscription_id
}

/** Reads what was delivered to an endpoint, and changes its subscription. */
export async function callWebhooks({ call }: ExampleCaller, subscription_id: string): Promise<void> {
  const params = { subscription_id }
  await call('listWebhooks', { as })
  await call('getWebhook', { params, as })
  await call('pingWebhook', { params, as })
  await call('listEvents', { query: { types: ['order.*'], limit: 1 }, as })
  await callDeliveries(call, subscription_id)
  await call('rotateWebhookSecret', { params, request: { grace_period_seconds: 3_600 }, as })
  await call('updateWebhook', { params, request: { event_types: ['order.*', 'invoice.*'] }, as })
  await call('disableWebhook', { params, as })
  await call('enableWebhook', { params, as })
  await call('deleteWebhook', { params, as })
}

async function callDeliveries(call: ExampleCaller['call'], subscription_id: string): Promise<void> {
  const query = { status: 'DELIVERED', event_type: 'order.delivered', limit: 1 }
  let delivery_id = ''
  await until('an event is delivered', async () => {
    const { data } = await call('listWebhookDeliveries', { params: { subscription_id }, query, as })
    delivery_id = data[0]?.delivery_id ?? ''
    return delivery_id !== ''
  })
  const params = { subscription_id, delivery_id }
  await call('getWebhookDelivery', { params, as })
  await call('redeliverWebhook', { params, as })
  const since = new Date(Date.now() - 3_600_000).toISOString()
  await call('recoverWebhook', { params: { subscription_id }, request: { since }, as })
}
