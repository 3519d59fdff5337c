import { addValidationError, type Validator } from './validator.ts'

const NOT_A_URL = 'Input should be a valid URL'
const LONGEST = 2083

/** `format: "uri"`: pydantic's HttpUrl, handed on in the WHATWG URL standard's canonical form. */
export const uriValidator: Validator = (value, items) => {
  if (typeof value !== 'string')
    return addValidationError(items, 'url_type', 'URL input should be a string or URL', value)
  if (value.length > LONGEST) {
    return addValidationError(items, 'url_too_long', `URL should have at most ${LONGEST} characters`, value, {
      max_length: LONGEST,
    })
  }
  const url = URL.parse(value)
  if (url === null) {
    const error = reason(value)
    return addValidationError(items, 'url_parsing', `${NOT_A_URL}, ${error}`, value, { error })
  }
  if (url.protocol === 'http:' || url.protocol === 'https:') return url.href
  const schemes = "'http' or 'https'"
  return addValidationError(items, 'url_scheme', `URL scheme should be ${schemes}`, value, {
    expected_schemes: schemes,
  })
}

/** URL.parse keeps its reason to itself; this finds the one that the Rust url crate would most likely give. */
function reason(text: string): string {
  const stripped = text.replace(/^[\0- ]+/, '').replace(/[\t\n\r]/g, '')
  if (stripped === '') return 'input is empty'
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(stripped)?.[0]
  if (scheme === undefined) return 'relative URL without a base'
  const authority = /^[/\\]*([^/\\?#]*)/.exec(stripped.slice(scheme.length))?.[1] ?? ''
  return hostReason(authority.slice(authority.lastIndexOf('@') + 1), scheme)
}

function hostReason(host: string, scheme: string): string {
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
