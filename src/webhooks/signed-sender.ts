import type { SecretCipher } from '../storage/keys/secret-encryption.ts'
import type { WebhookEndpoint } from '../storage/webhooks/delivery-queue.ts'
import type { ReadyDelivery } from './endpoint-queues.ts'
import { createDecryptionCache, decryptSigningSecrets } from './signing-secrets.ts'
import type { AttemptResult, WebhookSendFunction } from './webhook-request.ts'

export interface SignedSenderParts {
  send: WebhookSendFunction
  vault: Pick<SecretCipher, 'open'>
  now: () => number
  onError(error: unknown): void
}

/** One attempt at a delivery, signed with the secrets that its endpoint has at this instant. */
export function createSignedSender({ send, vault, now, onError }: SignedSenderParts) {
  const kept = createDecryptionCache(vault)

  return async function attempt(endpoint: WebhookEndpoint, delivery: ReadyDelivery): Promise<AttemptResult> {
    const { delivery_id: deliveryId, event_id: eventId, event_type: type, mode, attempts, body } = delivery
    const parcel = { url: endpoint.endpoint_url, deliveryId, eventId, type, mode, attempt: attempts + 1, body }
    try {
      const secrets = decryptSigningSecrets(kept, endpoint, now())
      return send({ ...parcel, secrets })
    } catch (error) {
      onError(error)
      return unsigned(new Date(now()).toISOString())
    }
  }
}

const unsigned = (at: string): AttemptResult => ({
  ...{ at, durationMs: 0, responseStatus: null, error: 'secret_unreadable', excerpt: null, retryAfterMs: null },
})
