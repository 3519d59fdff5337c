import { randomUUID } from 'node:crypto'
import { PING_EVENT_KIND } from '../../contract/events/event-types.ts'
import type { WebhookPing } from '../../contract/events/webhook-subscription.ts'
import { randomBase62 } from '../../security/base62.ts'
import type { SubscriptionRecord } from '../../storage/webhooks/subscriptions.ts'
import type { Tenant } from '../../tenant.ts'
import { type AttemptResult, isDelivered } from '../../webhooks/delivery-attempt-types.ts'
import { decryptSigningSecrets } from '../../webhooks/signing-secrets.ts'
import { toEventEnvelope } from '../../webhooks/to-event-envelope.ts'
import type { CommandDependencies } from '../command-context.ts'
import { requireSubscription } from './find-subscription.ts'

/** The API request stays open for this long. */
export const PING_TIMEOUT_MS = 10_000

type PingDependencies = Pick<CommandDependencies, 'db' | 'secretCipher' | 'sendWebhook' | 'throttle' | 'now'>

/** Sends a signed test event to an endpoint, enabled or not, and returns the result, which is neither stored nor counted. Throws `rate_limited`. */
export async function pingSubscription(commerce: PingDependencies, tenant: Tenant, id: string): Promise<WebhookPing> {
  await commerce.throttle.take('pings', tenant, 'all')
  const record = await requireSubscription(commerce.db, tenant, id)
  const [delivery_id, event_id] = [randomUUID(), `evt_${randomBase62(22)}`]
  const result = await sendPing(commerce, record, delivery_id, event_id)
  const { responseStatus, durationMs, error } = result
  return {
    delivery_id,
    event_id,
    event: PING_EVENT_KIND,
    delivered: isDelivered(result),
    response_status: responseStatus,
    duration_ms: Math.round(durationMs),
    error,
  }
}

type PingResult = Pick<AttemptResult, 'responseStatus' | 'durationMs' | 'error'>

async function sendPing(
  { secretCipher, sendWebhook, now }: PingDependencies,
  record: SubscriptionRecord,
  deliveryId: string,
  eventId: string,
): Promise<PingResult> {
  const { subscription_id, endpoint_url: url, tenant_id, mode } = record
  const secrets = tryDecrypt(() => decryptSigningSecrets(secretCipher, record, now()))
  if (!secrets) return { responseStatus: null, durationMs: 0, error: 'secret_unreadable' }
  const envelope = toEventEnvelope({
    event_id: eventId,
    type: PING_EVENT_KIND,
    created_at: new Date(now()).toISOString(),
    mode,
    tenant_id,
    resource_type: 'webhook',
    resource_id: subscription_id,
    sequence: 0,
    data: JSON.stringify({ subscription_id }),
  })
  const body = Buffer.from(JSON.stringify(envelope))
  const request = { url, deliveryId, eventId, type: PING_EVENT_KIND, mode, attempt: 1, body, secrets }
  return sendWebhook(request, { totalMs: PING_TIMEOUT_MS })
}

/** `null`: the secret's encryption key is not configured any more. */
function tryDecrypt<T>(decrypt: () => T): T | null {
  try {
    return decrypt()
  } catch {
    return null
  }
}
