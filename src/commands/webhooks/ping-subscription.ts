import { randomUUID } from 'node:crypto'
import { PING_EVENT_KIND, type WebhookPing } from '../../contract/webhook.ts'
import { randomBase62 } from '../../storage/keys/api-key-format.ts'
import type { TenantColumns } from '../../storage/shoppers/shopper-accounts.ts'
import type { SubscriptionRecord } from '../../storage/webhooks/subscriptions.ts'
import { toEventEnvelope } from '../../webhooks/event-envelope.ts'
import { decryptSigningSecrets } from '../../webhooks/signing-secrets.ts'
import { type AttemptResult, isDelivered } from '../../webhooks/webhook-request.ts'
import type { CommandDependencies } from '../command-context.ts'
import { requireSubscription } from './change-subscription.ts'

/** How long its sender waits with the request open. */
export const PING_TIMEOUT_MS = 10_000

type Pinging = Pick<CommandDependencies, 'db' | 'vault' | 'send' | 'throttle' | 'now'>

/** Sends a signed event to an endpoint now, enabled or not, and tells what came of it. It is stored and counted nowhere. Throws `rate_limited` when there were many in a minute. */
export async function pingSubscription(commerce: Pinging, realm: TenantColumns, id: string): Promise<WebhookPing> {
  await commerce.throttle.take('pings', realm, 'all')
  const record = await requireSubscription(commerce.db, realm, id)
  const [delivery_id, event_id] = [randomUUID(), `evt_${randomBase62(22)}`]
  const attempted = await attempt(commerce, record, delivery_id, event_id)
  const { responseStatus, durationMs, error } = attempted
  return {
    ...{ delivery_id, event_id, event: PING_EVENT_KIND, delivered: isDelivered(attempted) },
    ...{ response_status: responseStatus, duration_ms: Math.round(durationMs), error },
  }
}

type Outcome = Pick<AttemptResult, 'responseStatus' | 'durationMs' | 'error'>

async function attempt(
  { vault, send, now }: Pinging,
  record: SubscriptionRecord,
  deliveryId: string,
  eventId: string,
): Promise<Outcome> {
  const { subscription_id, endpoint_url: url, tenant_id, mode } = record
  const secrets = readable(() => decryptSigningSecrets(vault, record, now()))
  if (!secrets) return { responseStatus: null, durationMs: 0, error: 'secret_unreadable' }
  const envelope = toEventEnvelope({
    ...{ event_id: eventId, type: PING_EVENT_KIND, created_at: new Date(now()).toISOString(), mode, tenant_id },
    ...{ resource_type: 'webhook', resource_id: subscription_id, sequence: 0 },
    data: JSON.stringify({ subscription_id }),
  })
  const body = Buffer.from(JSON.stringify(envelope))
  const parcel = { url, deliveryId, eventId, type: PING_EVENT_KIND, mode, attempt: 1, body, secrets }
  return send(parcel, { totalMs: PING_TIMEOUT_MS })
}

/** `null`: sealed with a key that is not configured any more. */
function readable<T>(open: () => T): T | null {
  try {
    return open()
  } catch {
    return null
  }
}
