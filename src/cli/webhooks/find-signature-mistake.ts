import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { computeServiceSignature, computeStandardSignature } from '../../webhooks/signature-headers.ts'

/** The maximum age of a delivery; an older one may be a replay. */
const TOLERANCE_SECONDS = 300

/** Returns why the signatures of a delivery do not prove its origin; `null`: both do. The body is not parsed first. */
export function findSignatureMistake(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string,
  now: number,
): string | null {
  const header = (name: string) => String(headers[name] ?? '')
  const [id, timestamp] = [header('webhook-id'), Number(header('webhook-timestamp'))]
  const serviceSignatures = [header('x-service-signature'), header('x-service-signature-previous')]
  if (serviceSignatures.every((signature) => signature === '')) return 'not signed: X-Service-Signature is missing'
  if (!includesSignature(serviceSignatures, computeServiceSignature(secret, body)))
    return 'X-Service-Signature does not match this body and secret'
  if (header('webhook-signature') === '') return 'not signed: webhook-signature is missing'
  const standardSignatures = header('webhook-signature').split(' ')
  if (!includesSignature(standardSignatures, computeStandardSignature(secret, id, timestamp, body)))
    return 'webhook-signature does not match this body and secret'
  if (!(Math.abs(now / 1_000 - timestamp) <= TOLERANCE_SECONDS))
    return 'webhook-timestamp differs from the current time by more than five minutes'
  return null
}

/** A delivery during a rotation has one signature for each secret. */
const includesSignature = (signatures: readonly string[], expected: string) =>
  signatures.some((signature) => isEqualInConstantTime(signature, expected))

function isEqualInConstantTime(signature: string, expected: string): boolean {
  const [a, b] = [Buffer.from(signature), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
