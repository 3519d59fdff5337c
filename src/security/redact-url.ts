import { decodeAscii } from './decode-ascii.ts'
import { redactApiKeys } from './redact-api-keys.ts'

/** A token of a shopper or an email, or the secret of a webhook. Resource ids are shorter. */
const TOKEN = /whsec_[\w+/=-]+|[A-Za-z0-9]{40,}/g
const SHORTEST = 40

/** Removes API keys, tokens and signing secrets from a URL, percent-encoded or not. The rest of its query stays. */
export function redactUrl(url: string): string {
  const redacted = redactApiKeys(url)
  if (redacted.length < SHORTEST) return redacted
  const decoded = redacted.includes('%') ? decodeAscii(redacted) : redacted
  const replaced = decoded.replace(TOKEN, '[redacted]')
  return replaced === decoded ? redacted : replaced
}
