import { createHmac } from 'node:crypto'
import type { WebhookRequest } from './delivery-attempt-types.ts'

const PREFIX = 'whsec_'

/** `X-Service-Signature`: HMAC-SHA256 over the bytes of the body, keyed by the whole secret as text. */
export const computeServiceSignature = (secret: string, body: Uint8Array): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** One value of `webhook-signature` (Standard Webhooks 1.0.0): over id, Unix seconds and body, keyed by the secret's decoded bytes. */
export function computeStandardSignature(secret: string, id: string, timestamp: number, body: Uint8Array): string {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

/** Returns the signature headers of a request, with both secrets during a rotation. `timestamp`: Unix seconds of the attempt. */
export function createSignatureHeaders(
  { eventId, body, secrets }: Pick<WebhookRequest, 'eventId' | 'body' | 'secrets'>,
  timestamp: number,
): Record<string, string> {
  const [current, previous] = secrets
  return {
    'X-Service-Signature': computeServiceSignature(current, body),
    ...(previous && { 'X-Service-Signature-Previous': computeServiceSignature(previous, body) }),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => computeStandardSignature(secret, eventId, timestamp, body)).join(' '),
  }
}
