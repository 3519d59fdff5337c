import type { Event, WebhookPingEvent } from './generated/types.gen.ts'

export type { Event, WebhookPingEvent } from './generated/types.gen.ts'

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** The `signing_secret` of the subscription. During a rotation, either of the two. */
  secret: string
  /** The differences of clocks that are tolerated: 300,000 by default. */
  toleranceMs?: number
  /** The current time in milliseconds; for tests. */
  now?: number
}

/** A delivery that must be answered with a 4xx. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

const TOLERANCE_MS = 300_000
const encoder = new TextEncoder()

/**
 * Verifies `webhook-signature` over the raw body and returns the event. The header also covers the id and the time, so a recorded
 * delivery that is sent again is refused.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  { secret, toleranceMs = TOLERANCE_MS, now = Date.now() }: VerifyOptions,
): Promise<Event | WebhookPingEvent> {
  requireInput(body, secret)
  const [id, timestamp] = [readHeader(headers, 'webhook-id'), readHeader(headers, 'webhook-timestamp')]
  requireTimestamp(timestamp, now, toleranceMs)
  const bytes = toBytes(body)
  const signed = concatenate(encoder.encode(`${id}.${timestamp}.`), bytes)
  const expected = await sign(decodeBase64(secret.replace(/^whsec_/, '')), signed)
  const given = readHeader(headers, 'webhook-signature').split(' ')
  const matches = given.filter((one) => one.startsWith('v1,') && areEqual(decodeBase64(one.slice(3)), expected))
  if (matches.length === 0) throw new WebhookVerificationError(describeMismatch('webhook-signature', bytes))
  return parseEvent(bytes)
}

/** Verifies `X-Service-Signature`, or the one with the previous secret, and returns the event. It covers only the body. */
export async function verifyServiceSignature(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  { secret }: Pick<VerifyOptions, 'secret'>,
): Promise<Event | WebhookPingEvent> {
  requireInput(body, secret)
  const bytes = toBytes(body)
  const expected = await sign(encoder.encode(secret.trim()), bytes)
  const given = ['x-service-signature', 'x-service-signature-previous'].map((name) => readHeader(headers, name))
  const matches = given.filter((one) => one.startsWith('sha256=') && areEqual(decodeHex(one.slice(7)), expected))
  if (matches.length === 0) throw new WebhookVerificationError(describeMismatch('X-Service-Signature', bytes))
  return parseEvent(bytes)
}

/** Throws for a mistake in the use of these functions, which the sender of a delivery cannot cause. */
function requireInput(body: unknown, secret: unknown): void {
  // A test runner may give each file classes of its own, so `instanceof` would not do.
  if (!/^\[object (?:String|Uint8Array|ArrayBuffer)\]$/.test(Object.prototype.toString.call(body)))
    throw new TypeError(
      'The body is neither a string nor bytes. Pass the body as it arrived, not parsed: await request.text(), or express.raw() in Express.',
    )
  if (typeof secret !== 'string' || secret === '')
    throw new TypeError(
      'The secret is not set. It is the signing_secret of the subscription (whsec_…), given as { secret }. If it comes from an environment variable, is that set?',
    )
  if (secret.startsWith('svc_'))
    throw new TypeError('The secret is an API key. Give the signing_secret of the subscription (whsec_…).')
}

function requireTimestamp(timestamp: string, now: number, toleranceMs: number): void {
  if (timestamp === '')
    throw new WebhookVerificationError(
      'webhook-timestamp is missing. Pass all headers of the request. If the request had no such header, Forecourt did not send it.',
    )
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError(
      'webhook-timestamp is not a Unix time in seconds. Pass the header as it arrived, not converted to a date or to milliseconds.',
    )
  const ageMs = now - Number(timestamp) * 1_000
  if (Math.abs(ageMs) <= toleranceMs) return
  const difference = `webhook-timestamp is ${formatSeconds(Math.abs(ageMs))} ${ageMs > 0 ? 'ago' : 'in the future'}`
  const reason =
    ageMs > 0
      ? 'The delivery is old or was replayed, or the clock of this machine is ahead.'
      : 'The clock of this machine is behind.'
  throw new WebhookVerificationError(`${difference}, and ${formatSeconds(toleranceMs)} are tolerated. ${reason}`)
}

const formatSeconds = (ms: number): string => `${Math.round(ms / 1_000)} s`

const describeMismatch = (name: string, { length }: Bytes): string =>
  length === 0
    ? `${name} does not match the body, which is empty: was it read before? Read it once, as text or bytes.`
    : `${name} does not match the body. Compare the secret with that of this subscription, and give the body as it arrived, not parsed and written again.`

function readHeader(headers: WebhookHeaders, name: string): string {
  if (isHeaders(headers)) return headers.get(name) ?? ''
  const found = Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : (found?.join(' ') ?? '')
}

/** Returns true also for `Headers` of another realm, for which `instanceof` is false. In a record, `get` would be a string. */
const isHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers.get === 'function'

async function sign(secret: Bytes, message: Bytes): Promise<Bytes> {
  if (secret.length === 0) throw new TypeError('The signing secret is empty or not base64')
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, message))
}

/** Takes the same time wherever the two differ. */
function areEqual(given: Bytes, expected: Bytes): boolean {
  let difference = given.length ^ expected.length
  for (const [index, byte] of expected.entries()) difference |= byte ^ (given[index] ?? 0)
  return difference === 0
}

type Bytes = Uint8Array<ArrayBuffer>

const toBytes = (body: string | Uint8Array | ArrayBuffer): Bytes =>
  typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body)

function concatenate(first: Bytes, second: Bytes): Bytes {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}

/** Returns an empty array if the text is not base64. */
function decodeBase64(text: string): Bytes {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

const decodeHex = (text: string): Bytes =>
  Uint8Array.from(/^[0-9a-f]{64}$/.test(text) ? text.match(/../g)! : [], (pair) => Number.parseInt(pair, 16))

function parseEvent(body: Bytes): Event | WebhookPingEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    throw new WebhookVerificationError('The body is not JSON')
  }
}
