import { problemTypes } from '../../errors.ts'

/** A code as support staff read it: what it means, and where to look next. */
export interface ErrorCodeText {
  name: string
  means: string
  look: string
}

const of = (name: string, means: string, look: string): ErrorCodeText => ({ name, means, look })

/** Codes of `errors[]`, and of the problems that stand for a system. */
const failures: Readonly<Record<string, ErrorCodeText>> = {
  downstream_timeout: of(
    'No answer in time',
    'The system was asked and did not answer before its time was over.',
    'The system is slow, hung or overloaded, or the network to it is: look at its own load and log at that time.',
  ),
  downstream_unavailable: of(
    'Not reachable',
    'No connection to the system, or it said that it is unavailable.',
    'Is it running? Has its address, name or certificate changed? Does a firewall stand between?',
  ),
  downstream_error: of(
    'Answered with an error',
    'The system was reached and answered with an error, or refused the question.',
    'Its own log at that time says why; after a change of its credentials, look at those first.',
  ),
  invalid_downstream_response: of(
    'Unreadable answer',
    'The system answered with something that is not what its protocol promises.',
    'Was the system, or something in front of it, changed lately? A page of a proxy in place of an answer looks like this.',
  ),
  downstream_rate_limited: of(
    'Asked too often',
    'The system said that it is asked more often than it allows.',
    'Raise the limit there, or lower `limits.concurrency` of this system here.',
  ),
  circuit_open: of(
    'Circuit open',
    'The system failed so often just before that it is given time to recover. It was not asked.',
    'The failures before are the cause: look at the other codes of the incident, and at what the circuit did.',
  ),
  overloaded: of(
    'Too many waiting',
    'So many questions were waiting for the system that this one was not sent.',
    'The system is slower than what is asked of it, or there is more to do than usual: look at its latency in the timeline.',
  ),
  partial_result: of(
    'Some rows missing',
    'The system gave some of the rows that were asked for, and failed for others.',
    'Look at the calls of a sample request: one of several failed.',
  ),
  not_configured: of('Not offered', 'The back office of this merchant does not offer this.', 'Nothing is wrong.'),
  internal_error: of(
    'Error in Forecourt',
    'Something went wrong in Forecourt itself.',
    'The log has the error under this request id; it is worth a report.',
  ),
}

/** Where to look for what was refused. */
const refusals: Readonly<Record<string, string>> = {
  missing_api_key: 'The caller sent no key: look at how the storefront is set up.',
  invalid_api_key: 'The key is unknown, was revoked or has expired: look at Keys.',
  publishable_key_not_allowed: 'A browser key was used for what needs a secret one.',
  insufficient_scope: 'Make a key that has the scope: look at Keys.',
  origin_not_allowed: 'The site is not on the list of the key: was a shop moved to a new address?',
  missing_shopper_token: 'The shopper was not signed in.',
  invalid_shopper_token: 'The sign-in is over, or was ended: the storefront has to refresh it.',
  rate_limited: 'The key asks more often than it may: Keys has its limit and how often it was met.',
  idempotency_in_flight: 'The same checkout was sent twice at once; the first one goes on.',
  price_changed: 'The price rose between cart and checkout: the shopper is to look again.',
  line_unavailable: 'Something in the cart cannot be sold now: the stock is gone, or the product withdrawn.',
  account_on_hold: 'The back office has put the customer on hold.',
}

export function describeErrorCode(code: string): ErrorCodeText {
  const failure = failures[code]
  if (failure) return failure
  const name = code.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())
  const problem = (problemTypes as Record<string, readonly [number, string, string]>)[code]
  return of(name, problem?.[2] ?? '', refusals[code] ?? '')
}

export interface ErrorCodeEntry extends ErrorCodeText {
  code: string
}

export const toErrorCodeEntry = (code: string): ErrorCodeEntry => ({ code, ...describeErrorCode(code) })
