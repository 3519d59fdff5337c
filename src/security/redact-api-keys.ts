import { decodeAscii } from './decode-ascii.ts'

const API_KEY = /(svc_(?:live|test)_(?:pub|sec)_)\w+/g

/** Removes API keys from a text. A key that ended up in a URL by mistake, percent-encoded or not, is still a secret. */
export function redactApiKeys(text: string): string {
  const decoded = text.includes('%') ? decodeAscii(text) : text
  return decoded.includes('svc_') ? decoded.replace(API_KEY, '$1[redacted]') : text
}
