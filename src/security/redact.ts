const API_KEY = /(svc_(?:live|test)_(?:pub|sec)_)\w+/g
/** A percent-encoded ASCII character, also one that was encoded several times: `%41`, `%2541`. */
const ENCODED = /%(?:25)*([2-7][0-9A-Fa-f])/g
const MAX_DECODINGS = 4

/** Removes API keys from a text. A key that ended up in a URL by mistake, percent-encoded or not, is still a secret. */
export function redactApiKeys(text: string): string {
  const decoded = text.includes('%') ? decodeAscii(text) : text
  return decoded.includes('svc_') ? decoded.replace(API_KEY, '$1[redacted]') : text
}

/** Decodes several times: `%25%34%31` becomes `%2541`, and then `A`. */
function decodeAscii(text: string): string {
  let decoded = text
  for (let round = 0; round < MAX_DECODINGS && decoded.includes('%'); round += 1)
    decoded = decoded.replace(ENCODED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return decoded
}

const MAX_PATH_LENGTH = 256
const MAX_READ_LENGTH = 2_048
/** An email address, or something as long as a token. Resource ids are shorter. */
const PERSONAL = /@|[A-Za-z0-9]{40}/

/** Returns whether a text may be a key, a token or a person's address, which no record holds. */
export const isPersonalText = (text: string): boolean => PERSONAL.test(text) || decodeAscii(text).includes('svc_')

/** Returns a request's path for logs and operators: without its query, which may hold search terms or an email token. */
export function redactPath(url: string): string {
  const path = url.split('?', 1)[0]!.slice(0, MAX_READ_LENGTH)
  return redactApiKeys(decodeAscii(path))
    .split('/')
    .map((segment) => (PERSONAL.test(segment) ? '[redacted]' : segment))
    .join('/')
    .slice(0, MAX_PATH_LENGTH)
}
