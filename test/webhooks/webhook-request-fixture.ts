import type { WebhookRequest } from '../../src/webhooks/delivery-attempt-types.ts'

export const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
export const PREVIOUS_SECRET = `whsec_${Buffer.alloc(32, 6).toString('base64')}`

export const createWebhookRequest = (url: string, change: Partial<WebhookRequest> = {}): WebhookRequest => ({
  url,
  deliveryId: '7d1f0c9e-7c40-4c8e-8f39-2f6a2a1f2b11',
  eventId: 'evt_1',
  type: 'order.confirmed',
  mode: 'sandbox',
  attempt: 3,
  body: Buffer.from('{"a":"ü"}'),
  secrets: [SECRET],
  ...change,
})
