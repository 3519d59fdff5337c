import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The maximum difference between the signed time and ours, as in Standard Webhooks. */
const TOLERANCE_S = 300
/** Compared for a merchant without a secret, so that response times do not reveal which merchants exist. */
const PLACEHOLDER_SECRET = 'not a secret of any merchant'

/**
 * Returns true when a change hint is signed with this secret: `X-Service-Signature: sha256=<hex HMAC-SHA256 of the body>`, or the three
 * headers of Standard Webhooks. Every merchant and every error takes the same work.
 */
export function isChangeHintSigned(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string | undefined,
  now: number,
): boolean {
  const hasServiceSignature = matchesAny(String(headers['x-service-signature'] ?? ''), [
    `sha256=${createHmac('sha256', secret ?? PLACEHOLDER_SECRET)
      .update(body)
      .digest('hex')}`,
  ])
  const [id, timestamp] = [String(headers['webhook-id'] ?? ''), String(headers['webhook-timestamp'] ?? '')]
  const signature = createHmac('sha256', decodeSecret(secret ?? PLACEHOLDER_SECRET))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64')
  const signatures = String(headers['webhook-signature'] ?? '').split(' ')
  const hasStandardSignature = matchesAny(`v1,${signature}`, signatures.slice(0, 8))
  const isTimely = /^\d{1,12}$/.test(timestamp) && Math.abs(now / 1_000 - Number(timestamp)) <= TOLERANCE_S
  return secret !== undefined && (hasServiceSignature || (hasStandardSignature && isTimely && id !== ''))
}

/** A Standard Webhooks secret is base64. Other text would decode to a few bytes at most, which anybody could sign with. */
const STANDARD_SECRET = /^whsec_([A-Za-z0-9+/]{16,}={0,2})$/

function decodeSecret(secret: string): Buffer {
  const key = STANDARD_SECRET.exec(secret)?.[1]
  return key === undefined ? Buffer.from(secret) : Buffer.from(key, 'base64')
}

function matchesAny(value: string, candidates: readonly string[]): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer')
  const valueDigest = digest(value)
  return candidates.map((candidate) => timingSafeEqual(digest(candidate), valueDigest)).includes(true)
}
