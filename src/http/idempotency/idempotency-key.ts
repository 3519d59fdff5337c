import { InvalidInput } from '../../errors.ts'

export const MAX_IDEMPOTENCY_KEY_LENGTH = 255
const QUOTED_KEY = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/
/** A key without quotes, as OpenAPI shows it. */
export const IDEMPOTENCY_KEY_PATTERN = '^[\\x21\\x23-\\x7e][\\x21-\\x7e]*$'
const BARE_KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN)

/** Returns the key of an Idempotency-Key header. Bare and quoted (RFC 8941) forms are the same key. */
export function parseIdempotencyKey(header: string): string {
  const quoted = QUOTED_KEY.exec(header)
  const key = quoted ? quoted[1]!.replace(/\\(["\\])/g, '$1') : header
  const isWellFormed = quoted !== null || BARE_KEY.test(header)
  if (!isWellFormed || key.length < 1 || key.length > MAX_IDEMPOTENCY_KEY_LENGTH)
    throw createHeaderError('idempotency_key_invalid', INVALID_KEY, header)
  return key
}

const INVALID_KEY = `Idempotency-Key should be 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} visible ASCII characters, bare or in double quotes`
const REUSED_KEY = 'This Idempotency-Key was sent before with another request. Send a new key for this one'

export const createReusedKeyError = (key: string): InvalidInput =>
  createHeaderError('idempotency_key_reused', REUSED_KEY, key)

const createHeaderError = (type: string, msg: string, input: string) =>
  new InvalidInput([{ type, loc: ['header', 'Idempotency-Key'], msg, input: input.slice(0, 256) }])
