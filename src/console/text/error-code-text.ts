import { throttleAllowances } from '../../commands/action-throttle.ts'
import { problemTypes } from '../../problem-types.ts'
import { capitalize } from './capitalize.ts'
import { formatDuration } from './format-durations.ts'

/** The texts of an error code for support staff: its name, its meaning and where to look next. */
export interface ErrorCodeText {
  name: string
  meaning: string
  advice: string
}

const text = (name: string, meaning: string, advice: string): ErrorCodeText => ({ name, meaning, advice })

/** Texts of the codes in `errors[]`, and of the problems that a failed system causes. */
const failureTexts: Readonly<Record<string, ErrorCodeText>> = {
  downstream_timeout: text(
    'No complete response in time',
    'The system was called and did not respond, or not completely, before its timeout.',
    'The system or the network to it is slow, overloaded or hung. Check the load and the log of the system at that time.',
  ),
  downstream_unavailable: text(
    'Not reachable',
    'Forecourt could not connect to the system, or the system responded that it is unavailable. A wrong host name or certificate has the same effect.',
    'Is the system running? Has its address, name or certificate changed? Does a firewall block the connection?',
  ),
  downstream_error: text(
    'Error response',
    'The system responded with an error, or rejected the request.',
    'Check the log of the system at that time. If its credentials were changed, check those first.',
  ),
  invalid_downstream_response: text(
    'Unreadable response',
    'The response of the system does not follow its protocol.',
    'Was the system, or a proxy in front of it, changed recently? A proxy’s error page also has this effect.',
  ),
  unauthorized: text(
    'Login refused',
    'The system refused Forecourt’s login: perhaps its key has expired, or its password was changed.',
    'Whoever runs the system renews the key or the password that Forecourt uses there. Whoever runs Forecourt puts the new one into the configuration of Forecourt, and restarts Forecourt.',
  ),
  misconfigured: text(
    'Wrong setting',
    'A setting of Forecourt names something that the system does not have, so the call was not sent.',
    'Whoever runs Forecourt corrects the setting, and restarts Forecourt. `forecourt doctor` names the setting and its valid values.',
  ),
  downstream_rate_limited: text(
    'Rate limited by the system',
    'The system responded that it was called too often.',
    'Set `limits.per_minute` of this system in Forecourt to what the system allows, or raise the limit in the system.',
  ),
  circuit_open: text(
    'Calls paused',
    'The system had failed too often, so Forecourt made no call and gave it time to recover (its circuit was open).',
    'The failures before the pause are the cause.',
  ),
  maintenance: text(
    'Planned maintenance',
    'An operator has planned maintenance of the system, so Forecourt made no call.',
    'Nothing is wrong. The page Now shows when it ends and who planned it.',
  ),
  overloaded: text(
    'Queue full',
    'Too many calls to the system were already in the queue, so this call was not made.',
    'The system is slow, or there is more traffic than usual. Check the latency of the system in Timeline.',
  ),
  store_unavailable: text(
    'Forecourt’s database unavailable',
    'Forecourt’s own database could not be read or written.',
    'The incident of the database says why: is its disk full, or PostgreSQL down?',
  ),
  partial_result: text(
    'Some rows missing',
    'The system returned some of the requested rows and failed for others.',
    'Check the calls of a sample request: one of them failed.',
  ),
  not_configured: text('Not offered', 'The back office of this merchant does not offer this.', 'Nothing is wrong.'),
  internal_error: text(
    'Error in Forecourt',
    'Forecourt itself failed.',
    'The log has the error under this request id. Please report it.',
  ),
}

/** Where to look after a refused request. */
const refusalAdvice: Readonly<Record<string, string>> = {
  missing_api_key: 'The request had no API key. Check the configuration of the storefront.',
  invalid_api_key:
    'A mistyped key is copied again. For a revoked or expired key, whoever runs Forecourt issues another one. The page Keys begins with ended keys that are still sent.',
  publishable_key_not_allowed: 'The request used a publishable key, but this needs a secret key.',
  insufficient_scope: 'Issue a key that has the scope. The page of a key, which Keys links to, shows its scopes.',
  origin_not_allowed: 'The key does not allow the origin of the site. Has the storefront moved to a new address?',
  sandbox_disabled: 'A sandbox key was used, and the embedded back office is off. See the setting embedded_sandbox.',
  missing_shopper_token: 'The shopper was not signed in.',
  invalid_shopper_token: 'The shopper token has expired or was revoked. The storefront must refresh it.',
  invalid_credentials: `The email address or the password was wrong; whose account it was is not recorded. After more than ${throttleAllowances.logins.points} such sign-ins in ${formatDuration(throttleAllowances.logins.durationMs)} from one device or network address, the account is limited, and further ones get 429: the page of such a request says until when.`,
  rate_limited:
    'Either the key sends more requests than its limit: the page Keys shows the limit and how often it was exceeded. Or this was a sign-in, registration, password reset or promotion code after too many attempts by one shopper. That shopper has to wait, an hour at the most.',
  idempotency_in_flight:
    'The same request, such as a checkout, was sent twice at the same time. The first one continues.',
  price_changed:
    'The total rose between cart and checkout, or accounting computed another total. The shopper must review the cart.',
  line_unavailable: 'A product in the cart cannot be sold now: it is out of stock, was withdrawn or has no price.',
  product_in_stock: 'The shopper asked to wait for a product that is in stock.',
  back_in_stock_limit: 'The customer already waits for as many products as allowed.',
  document_not_available: 'The back office has no PDF of that invoice. Its own settings decide when it makes one.',
  account_on_hold: 'The back office has put the account on hold.',
}

/** Meanings for support staff, where that of the API tells the caller what to do. */
const refusalMeanings: Readonly<Record<string, string>> = {
  invalid_api_key:
    'The API key is mistyped, revoked or expired, or belongs to another server. A revoked or expired key cannot be made valid again.',
}

/** Of `invalid_api_key`, if the key is known. */
export const endedKeyText = {
  meaning: 'The API key was revoked or has expired.',
  advice: 'The page of the key says when and by whom it was revoked. The shop needs another key.',
}

export function describeErrorCode(code: string): ErrorCodeText {
  const failure = failureTexts[code]
  if (failure) return failure
  const name = capitalize(code.replaceAll('_', ' ')).replace(/\bapi\b/i, 'API')
  const problem = (problemTypes as Record<string, readonly [number, string, string]>)[code]
  return text(name, refusalMeanings[code] ?? problem?.[2] ?? '', refusalAdvice[code] ?? '')
}

/** Returns whether a code may occur in `errors[]` or in a problem. */
export const isErrorCode = (code: string): boolean =>
  Object.hasOwn(failureTexts, code) || Object.hasOwn(problemTypes, code)

export interface ErrorCodeEntry extends ErrorCodeText {
  code: string
}

export const toErrorCodeEntry = (code: string): ErrorCodeEntry => ({ code, ...describeErrorCode(code) })
