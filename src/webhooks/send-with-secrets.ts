import type { SecretCipher } from '../storage/keys/secret-encryption.ts'
import type { WebhookEndpoint } from '../storage/webhooks/subscription-endpoints.ts'
import type { AttemptResult, WebhookSendFunction } from './delivery-attempt-types.ts'
import type { ReadyDelivery } from './endpoint-queues.ts'
import { createDecryptionCache, decryptSigningSecrets } from './signing-secrets.ts'

export interface SendWithSecretsParts {
  send: WebhookSendFunction
  secretCipher: Pick<SecretCipher, 'decrypt'>
  now: () => number
  onError(error: unknown): void
}

/** Returns a function that makes one attempt at a delivery, signed with the endpoint's current secrets. */
export function createSendWithSecrets({ send, secretCipher, now, onError }: SendWithSecretsParts) {
  const cachedCipher = createDecryptionCache(secretCipher)

  return async function attempt(endpoint: WebhookEndpoint, delivery: ReadyDelivery): Promise<AttemptResult> {
    const { delivery_id: deliveryId, event_id: eventId, event_type: type, mode, attempts, body } = delivery
    const request = { url: endpoint.endpoint_url, deliveryId, eventId, type, mode, attempt: attempts + 1, body }
    try {
      const secrets = decryptSigningSecrets(cachedCipher, endpoint, now())
      return send({ ...request, secrets })
    } catch (error) {
      onError(error)
      return createUnsignedResult(new Date(now()).toISOString())
    }
  }
}

const createUnsignedResult = (at: string): AttemptResult => ({
  at,
  durationMs: 0,
  responseStatus: null,
  error: 'secret_unreadable',
  excerpt: null,
  retryAfterMs: null,
})
