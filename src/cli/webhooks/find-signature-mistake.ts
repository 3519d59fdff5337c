import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { computeServiceSignature, computeStandardSignature } from '../../webhooks/signature-headers.ts'

/** Of a delivery that is not a replay. */
const TOLERANCE_SECONDS = 300

/** Why a delivery is not to be believed, by both of its signatures; `null`: it is. Nothing of the body is looked at before. */
export function findSignatureMistake(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string,
  now: number,
): string | null {
  const text = (name: string) => String(headers[name] ?? '')
  const [id, timestamp] = [text('webhook-id'), Number(text('webhook-timestamp'))]
  const own = [text('x-service-signature'), text('x-service-signature-previous')]
  if (own.every((signature) => signature === '')) return 'not signed: it has no X-Service-Signature'
  if (!anySame(own, computeServiceSignature(secret, body))) return 'X-Service-Signature is not of this body and secret'
  if (text('webhook-signature') === '') return 'not signed: it has no webhook-signature'
  const standard = text('webhook-signature').split(' ')
  if (!anySame(standard, computeStandardSignature(secret, id, timestamp, body)))
    return 'webhook-signature is not of this body and secret'
  if (!(Math.abs(now / 1_000 - timestamp) <= TOLERANCE_SECONDS)) return 'webhook-timestamp is not of these five minutes'
  return null
}

/** During a rotation there is one for each secret. */
const anySame = (given: readonly string[], expected: string) => given.some((signature) => same(signature, expected))

/** In constant time. */
function same(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
