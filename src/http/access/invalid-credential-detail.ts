import type { ProblemCode } from '../../errors.ts'

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

/** Returns the problem of an Authorization header that names no valid key, by what the header looks like. */
export function describeInvalidAuthorization(authorization: string): [code: ProblemCode, detail: string | undefined] {
  if (!SCHEME.test(authorization)) return ['missing_api_key', describeScheme(authorization)]
  const key = authorization.replace(SCHEME, '').trimEnd()
  if (key === '') return ['missing_api_key', `Authorization has no key after Bearer. ${SEND_KEY}.`]
  const form = recognizeForm(key)
  return form === 'api_key' ? ['invalid_api_key', undefined] : ['invalid_api_key', keyDetails[form]]
}

function describeScheme(authorization: string): string | undefined {
  if (authorization === '') return undefined
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
