const API_KEY = /(svc_(?:live|test)_(?:pub|sec)_)\w+/g

/** Removes API keys from a text. A key that ended up in a URL by mistake is still a secret. */
export const redactApiKeys = (text: string): string =>
  text.includes('svc_') ? text.replace(API_KEY, '$1[redacted]') : text

const MAX_PATH_LENGTH = 256
const MAX_READ_LENGTH = 2_048
/** An email address, or something as long as a token. Resource ids are shorter. */
const PERSONAL = /@|[A-Za-z0-9]{40}/
/** Percent-encoded ASCII: an encoded secret is still a secret. */
const ENCODED = /%([2-7][0-9A-Fa-f])/g

/** Returns a request's path for logs and operators: without its query, which may hold search terms or an email token. */
export function redactPath(url: string): string {
  const path = url.split('?', 1)[0]!.slice(0, MAX_READ_LENGTH)
  const decoded = path.replace(ENCODED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return redactApiKeys(decoded)
    .split('/')
    .map((segment) => (PERSONAL.test(segment) ? '[redacted]' : segment))
    .join('/')
    .slice(0, MAX_PATH_LENGTH)
}
