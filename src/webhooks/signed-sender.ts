import type { Endpoint } from '../storage/webhooks/delivery-queue.ts'
import type { Vault } from '../storage/keys/secret-encryption.ts'
import type { ReadyDelivery } from './endpoint-queues.ts'
import type { Attempted, Send } from './webhook-request.ts'
import { openedOnce, signingSecrets } from './signing-secrets.ts'

export interface SigningParts {
  send: Send
  vault: Pick<Vault, 'open'>
  now: () => number
  onError(error: unknown): void
}

/** One attempt at a delivery, signed with the secrets that its endpoint has at this instant. */
export function createSigning({ send, vault, now, onError }: SigningParts) {
  const kept = openedOnce(vault)

  return async function attempt(endpoint: Endpoint, delivery: ReadyDelivery): Promise<Attempted> {
    const { delivery_id: deliveryId, event_id: eventId, event_type: type, mode, attempts, body } = delivery
    const parcel = { url: endpoint.endpoint_url, deliveryId, eventId, type, mode, attempt: attempts + 1, body }
    try {
      const secrets = signingSecrets(kept, endpoint, now())
      return send({ ...parcel, secrets })
    } catch (error) {
      onError(error)
      return unsigned(new Date(now()).toISOString())
    }
  }
}

const unsigned = (at: string): Attempted => ({
  ...{ at, durationMs: 0, responseStatus: null, error: 'secret_unreadable', excerpt: null, retryAfterMs: null },
})
