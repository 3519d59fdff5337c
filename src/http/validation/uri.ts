import { addValidationError } from './validation-items.ts'
import type { Validator } from './validator.ts'

const NOT_A_URL = 'Input should be a valid URL'
const MAX_LENGTH = 2083

/** Validates `format: "uri"` as pydantic's HttpUrl. The result is the WHATWG URL standard's canonical form. */
export const uriValidator: Validator = (value, items) => {
  if (typeof value !== 'string')
    return addValidationError(items, 'url_type', 'URL input should be a string or URL', value)
  if (value.length > MAX_LENGTH) {
    return addValidationError(items, 'url_too_long', `URL should have at most ${MAX_LENGTH} characters`, value, {
      max_length: MAX_LENGTH,
    })
  }
  const url = URL.parse(value)
  if (url === null) {
    const error = findReason(value)
    return addValidationError(items, 'url_parsing', `${NOT_A_URL}, ${error}`, value, { error })
  }
  if (url.protocol === 'http:' || url.protocol === 'https:') return url.href
  const schemes = "'http' or 'https'"
  return addValidationError(items, 'url_scheme', `URL scheme should be ${schemes}`, value, {
    expected_schemes: schemes,
  })
}

/** Returns the reason that the Rust url crate would most likely give; URL.parse gives none. */
function findReason(text: string): string {
  const stripped = text.replace(/^[\0- ]+/, '').replace(/[\t\n\r]/g, '')
  if (stripped === '') return 'input is empty'
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(stripped)?.[0]
  if (scheme === undefined) return 'relative URL without a base'
  const authority = /^[/\\]*([^/\\?#]*)/.exec(stripped.slice(scheme.length))?.[1] ?? ''
  return findHostReason(authority.slice(authority.lastIndexOf('@') + 1), scheme)
}

function findHostReason(host: string, scheme: string): string {
  if (host.startsWith('[')) {
    return URL.canParse(`${scheme}//${host.replace(/\][^\]]*$/, ']')}`) ? BAD_PORT : 'invalid IPv6 address'
  }
  const colon = host.indexOf(':')
  const name = colon < 0 ? host : host.slice(0, colon)
  if (name === '') return 'empty host'
  if (colon >= 0 && URL.canParse(`${scheme}//${name}/`)) return BAD_PORT
  if (!/^(?:https?|wss?|ftp|file):$/i.test(scheme)) return 'invalid domain character'
  return /(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$/i.test(name) ? 'invalid IPv4 address' : 'invalid international domain name'
}

const BAD_PORT = 'invalid port number'
