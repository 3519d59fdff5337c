import { expect } from 'chai'
import { randomBase62 } from '../../src/security/base62.ts'
import type { Api } from '../support/api.ts'

/** Creates a subscription of acme in live mode, with one failed delivery. */
export async function insertFailedDelivery(
  api: Api,
  description = 'ERP',
): Promise<{ id: string; delivery: string; secret: string }> {
  const key = await api.key({ kind: 'secret', mode: 'live' })
  const url = `http://127.0.0.1:9/hook-token-s3cret?token=s3cret&n=${Math.random()}`
  const body = { endpoint_url: url, event_types: ['*'], description }
  const reply = await api.request('/v1/webhooks', { key, body })
  expect(reply.status).to.equal(201)
  const { subscription_id: id, signing_secret: secret } = reply.body
  const at = new Date().toISOString()
  const event = {
    event_id: `evt_${randomBase62(22)}`,
    tenant_id: 'acme',
    mode: 'live',
    type: 'order.confirmed',
  } as const
  const delivery = crypto.randomUUID()
  await api.db
    .insertInto('events')
    .values({
      ...event,
      resource_type: 'order',
      resource_id: `SO-${randomBase62(8)}`,
      sequence: 1,
      data: '{"a":1}',
      created_at: at,
    })
    .execute()
  const log = [
    {
      number: 1,
      at,
      duration_ms: 12,
      response_status: 500,
      error: 'http_status',
      response_excerpt: 'token s3cret',
    },
  ]
  await api.db
    .insertInto('deliveries')
    .values({
      delivery_id: delivery,
      subscription_id: id,
      tenant_id: 'acme',
      mode: 'live',
      event_id: event.event_id,
      event_type: event.type,
      coalesce: null,
      status: 'EXHAUSTED',
      cause: 'EVENT',
      attempts: 1,
      log: JSON.stringify(log),
      due_at: at,
      lease: null,
      response_status: 500,
      created_at: at,
      ended_at: at,
    })
    .execute()
  return { id, delivery, secret }
}
