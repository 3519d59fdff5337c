import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** How far a signed time may be from ours, as Standard Webhooks has it. */
const TOLERANCE_S = 300
/** What a merchant without a secret is compared with, so that nobody can tell. */
const NOBODY = 'nobody knows this one'

/**
 * Whether a hint is signed with this secret: `X-Service-Signature: sha256=<hex HMAC-SHA256 of the body>`, or the three headers of
 * Standard Webhooks. The same work is done whoever is meant, and whatever is wrong.
 */
export function isChangeHintSigned(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string | undefined,
  now: number,
): boolean {
  const own = matches(String(headers['x-service-signature'] ?? ''), [
    `sha256=${createHmac('sha256', secret ?? NOBODY)
      .update(body)
      .digest('hex')}`,
  ])
  const [id, stamp] = [String(headers['webhook-id'] ?? ''), String(headers['webhook-timestamp'] ?? '')]
  const signature = createHmac('sha256', bytesOf(secret ?? NOBODY))
    .update(`${id}.${stamp}.`)
    .update(body)
    .digest('base64')
  const given = String(headers['webhook-signature'] ?? '').split(' ')
  const standard = matches(`v1,${signature}`, given.slice(0, 8))
  const timely = /^\d{1,12}$/.test(stamp) && Math.abs(now / 1_000 - Number(stamp)) <= TOLERANCE_S
  return secret !== undefined && (own || (standard && timely && id !== ''))
}

/** Standard Webhooks writes its secrets as base64. What is not would decode to next to nothing, which anybody can sign with. */
const STANDARD = /^whsec_([A-Za-z0-9+/]{16,}={0,2})$/

function bytesOf(secret: string): Buffer {
  const key = STANDARD.exec(secret)?.[1]
  return key === undefined ? Buffer.from(secret) : Buffer.from(key, 'base64')
}

function matches(one: string, others: readonly string[]): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer')
  const sought = digest(one)
  return others.map((other) => timingSafeEqual(digest(other), sought)).includes(true)
}
