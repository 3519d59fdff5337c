import { crc32 } from 'node:zlib'
import { randomBase62, toBase62 } from '../../security/base62.ts'
import type { Mode } from '../../tenant.ts'

export type ApiKeyKind = 'publishable' | 'secret'

const RANDOM_LENGTH = 43
const CHECKSUM_LENGTH = 6
const FORMAT = /^svc_(live|test)_(pub|sec)_([0-9A-Za-z]{49})$/

/** `svc_{live|test}_{pub|sec}_` + 43 random base62 characters (256 bits) + a base62 CRC-32 of all before it, so that a typo is refused without a query. */
export function generateApiKey(kind: ApiKeyKind, mode: Mode): string {
  const body = `svc_${mode === 'live' ? 'live' : 'test'}_${kind === 'publishable' ? 'pub' : 'sec'}_${randomBase62(RANDOM_LENGTH)}`
  return body + checksum(body)
}

export function isWellFormedApiKey(key: string): boolean {
  return FORMAT.test(key) && checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH)
}

/** Returns the mode that the prefix of a key states, whether or not the key exists; `null`: it states none. */
export function parseKeyMode(key: string): Mode | null {
  if (key.startsWith('svc_test_')) return 'sandbox'
  return key.startsWith('svc_live_') ? 'live' : null
}

export const toKeyHint = (key: string): string => `${key.slice(0, 16)}…${key.slice(-4)}`

const checksum = (text: string): string => toBase62(crc32(text), CHECKSUM_LENGTH)
