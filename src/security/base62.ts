import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The largest multiple of 62 that fits a byte. Bytes above it would favour some characters. */
const BYTE_LIMIT = 248

export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length))
      if (byte < BYTE_LIMIT && text.length < length) text += ALPHABET[byte % ALPHABET.length]
  }
  return text
}

/** Returns a non-negative integer in base62, padded with zeros to `length`. */
export function toBase62(value: number, length: number): string {
  let rest = value
  let digits = ''
  for (let i = 0; i < length; i++) {
    digits = ALPHABET[rest % ALPHABET.length] + digits
    rest = Math.floor(rest / ALPHABET.length)
  }
  return digits
}
