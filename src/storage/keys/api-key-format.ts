import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Mode } from '../../config/config.ts'

export type ApiKeyKind = 'publishable' | 'secret'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 43
const CHECKSUM_LENGTH = 6
const FORMAT = /^svc_(live|test)_(pub|sec)_([0-9A-Za-z]{49})$/

/** `svc_{live|test}_{pub|sec}_` + 43 random base62 characters (256 bits) + a base62 CRC-32 of all before it, so that a typo is refused without a look-up. */
export function generateApiKey(kind: ApiKeyKind, mode: Mode): string {
  const body = `svc_${mode === 'live' ? 'live' : 'test'}_${kind === 'publishable' ? 'pub' : 'sec'}_${randomBase62(RANDOM_LENGTH)}`
  return body + checksum(body)
}

export function isWellFormedApiKey(key: string): boolean {
  return FORMAT.test(key) && checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH)
}

/** The mode follows from the key's prefix alone, whether the key exists or not. */
export function parseKeyMode(key: string): Mode {
  return key.startsWith('svc_test_') ? 'sandbox' : 'live'
}

export const sha256Hex = (secret: string): string => hash('sha256', secret)
export const toKeyHint = (key: string): string => `${key.slice(0, 16)}…${key.slice(-4)}`

/** A key that was put into an address by mistake is as secret there as anywhere. */
const KEY = /(svc_(?:live|test)_(?:pub|sec)_)\w+/g

export const redactApiKeys = (text: string): string =>
  text.includes('svc_') ? text.replace(KEY, '$1[redacted]') : text

const LONGEST_PATH = 256
const LONGEST_LOOKED_AT = 2_048
/** What may be seen by those on call has no mailbox in it, and nothing as long as a token. The ids of what there is are shorter. */
const PERSONAL = /@|[A-Za-z0-9]{40}/
/** In another spelling it is as secret. */
const SPELLED = /%([2-7][0-9A-Fa-f])/g

/** Where a request went, for those on call: without its query, which may hold what shoppers typed, or a letter's token. */
export function redactPath(url: string): string {
  const path = url.split('?', 1)[0]!.slice(0, LONGEST_LOOKED_AT)
  const plain = path.replace(SPELLED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  const parts = redactApiKeys(plain).split('/')
  return parts
    .map((part) => (PERSONAL.test(part) ? '[redacted]' : part))
    .join('/')
    .slice(0, LONGEST_PATH)
}

export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    // 248 is the largest multiple of 62 that a byte holds: what is above it would favour some characters.
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += ALPHABET[byte % 62]
  }
  return text
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
