import type { IncomingHttpHeaders } from 'node:http'
import type { ProblemCode } from '../../problem-types.ts'

/** The form of a text. Nothing else counts, so that neither the response nor its timing tells anything about stored credentials. */
type CredentialForm = 'api_key' | 'signing_secret' | 'token' | 'placeholder' | 'other'

const FORMS: readonly (readonly [CredentialForm, RegExp])[] = [
  ['api_key', /^svc_(?:live|test)_(?:pub|sec)_/],
  ['signing_secret', /^whsec_/],
  ['token', /^[0-9A-Za-z]{43}$/],
  ['placeholder', /^(?:undefined|null|NaN|\[object \w{1,32}\]|[<$%{].{0,80})$/],
]
const SCHEME = /^Bearer(?: +|$)/i
const SEND_KEY = 'Send your API key as Authorization: Bearer <key>'
const SEND_TOKEN = 'Send the shopper token as X-Storefront-Shopper-Token'

const keyDetails: Readonly<Record<Exclude<CredentialForm, 'api_key'>, string>> = {
  signing_secret: `This is the signing secret of a webhook, not an API key. ${SEND_KEY}.`,
  token: `This looks like a shopper token, not an API key. ${SEND_KEY}, and the token as X-Storefront-Shopper-Token.`,
  placeholder: `Authorization has a placeholder in place of the key: is the variable with the key set? ${SEND_KEY}.`,
  other: `This is not an API key: keys begin with svc_live_ or svc_test_. ${SEND_KEY}.`,
}

/** Returns the `detail` for a request without Authorization, by where else it has a key; `undefined`: the usual one. */
export function describeMissingKey(headers: IncomingHttpHeaders, query: string): string | undefined {
  if (headers['x-api-key'] !== undefined) return `The header X-API-Key is not read. ${SEND_KEY}.`
  if (/(?:^|&)(?:api_?key|key|access_token)=/i.test(query))
    return `A key in the query is not read, and would be in logs. ${SEND_KEY}.`
  return undefined
}

/** Returns the `detail` for a request without X-Storefront-Shopper-Token, by where else it has a token; `undefined`: the usual one. */
export function describeMissingToken({ cookie, ...headers }: IncomingHttpHeaders): string | undefined {
  const other = OTHER_TOKEN_HEADERS.find(([name]) => headers[name] !== undefined)?.[1]
  if (other) return `The header ${other} is not read. ${SEND_TOKEN}.`
  return cookie?.includes('token') ? `A cookie is not read. ${SEND_TOKEN}.` : undefined
}

const OTHER_TOKEN_HEADERS = [
  ['x-shopper-token', 'X-Shopper-Token'],
  ['x-customer-token', 'X-Customer-Token'],
  ['x-auth-token', 'X-Auth-Token'],
  ['shopper-token', 'Shopper-Token'],
] as const

/** Returns the problem of an Authorization header that names no valid key, by what the header looks like. */
export function describeInvalidAuthorization(authorization: string): [code: ProblemCode, detail: string | undefined] {
  if (!SCHEME.test(authorization)) return ['missing_api_key', describeScheme(authorization)]
  const key = authorization.replace(SCHEME, '').trimEnd()
  if (key === '') return ['missing_api_key', `Authorization has no key after Bearer. ${SEND_KEY}.`]
  return ['invalid_api_key', describeSurplus(key) ?? describeKey(key)]
}

/** Says what surrounds a key. */
function describeSurplus(key: string): string | undefined {
  if (/^["'`]/.test(key)) return `The key is in quotation marks. Leave them out. ${SEND_KEY}.`
  return /^Bearer\b/i.test(key) ? `Authorization has the word Bearer twice. ${SEND_KEY}.` : undefined
}

function describeKey(key: string): string | undefined {
  const form = recognizeForm(key)
  if (form !== 'api_key') return keyDetails[form]
  return /^\w+$/.test(key)
    ? undefined
    : `The key has a character that no key has: is it cut off with an ellipsis, or is there something after it? Copy the whole key. ${SEND_KEY}.`
}

function describeScheme(authorization: string): string | undefined {
  if (authorization === '') return `Authorization is empty: is the variable with the key set? ${SEND_KEY}.`
  if (recognizeForm(authorization) === 'api_key') return `The word Bearer is missing before the key. ${SEND_KEY}.`
  return `Authorization does not begin with Bearer, the only scheme here. ${SEND_KEY}.`
}

/** Returns the `detail` for a shopper token that is not valid, by what it looks like; `undefined`: the usual one. */
export function describeInvalidShopperToken(token: string): string | undefined {
  if (SCHEME.test(token)) return `${SEND_TOKEN} alone, without the word Bearer.`
  const form = recognizeForm(token)
  if (form === 'api_key')
    return `This is an API key, not a shopper token. ${SEND_TOKEN}: the shopper_token from POST /v1/shoppers/login or POST /v1/shoppers/refresh.`
  if (form === 'placeholder' || token === '')
    return `X-Storefront-Shopper-Token has no token: is the variable with the token set? Sign in with POST /v1/shoppers/login, or renew a session with POST /v1/shoppers/refresh.`
  if (form === 'token') return undefined
  return `This is not a shopper token. ${SEND_TOKEN}: the shopper_token from POST /v1/shoppers/login or POST /v1/shoppers/refresh.`
}

const recognizeForm = (text: string): CredentialForm => FORMS.find(([, form]) => form.test(text))?.[0] ?? 'other'
