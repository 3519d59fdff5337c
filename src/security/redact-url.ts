import { decodeAscii } from './decode-ascii.ts'
import { redactApiKeys } from './redact-api-keys.ts'
import { redactSigningSecrets } from './redact-signing-secrets.ts'

/** The length of the shortest token of a shopper or an email. Resource ids are shorter. */
const MIN_TOKEN_LENGTH = 40
const WORD = /[A-Za-z0-9]+/g

/** Removes API keys, tokens and signing secrets from a URL, percent-encoded or not. The rest of its query stays. */
export function redactUrl(url: string): string {
  const redacted = redactApiKeys(url)
  if (redacted.length < MIN_TOKEN_LENGTH) return redacted
  const decoded = redacted.includes('%') ? decodeAscii(redacted) : redacted
  if (!decoded.includes('whsec_') && !hasToken(decoded)) return redacted
  return redactSigningSecrets(decoded).replace(WORD, (word) => (word.length < MIN_TOKEN_LENGTH ? word : '[redacted]'))
}

/** Each request logs a URL, and most have no token: a loop takes a tenth of the time of a regular expression. */
function hasToken(text: string): boolean {
  let length = 0
  for (let at = 0; at < text.length && length < MIN_TOKEN_LENGTH; at += 1)
    length = isWordCharacter(text.charCodeAt(at)) ? length + 1 : 0
  return length >= MIN_TOKEN_LENGTH
}

const isWordCharacter = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90)
