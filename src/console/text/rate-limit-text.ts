import { type ThrottledAction, throttleAllowances } from '../../commands/action-throttle.ts'
import type { RequestLimit } from '../../http/limits/rate-limit-headers.ts'
import { formatDuration } from './format-durations.ts'
import { formatNumber } from './format-numbers.ts'

/** The texts of a limit for support staff: its name in lists, who met it, and what to do. */
export interface ReachedLimitText {
  name: string
  meaning: string
  advice: string
}

const RAISE = 'Raise the limit of the key with a new key, or let the storefront send fewer requests. See the page Keys.'
const NOT_SHOWN =
  'Whose account it was is not recorded, so nothing is known of the carts and orders of that shopper; the refusal changed none of them. Nor is it recorded whether other refused requests were for the same account: each account has a limit of its own. If the shopper gives the email address, the search box at the top of each page finds the account.'
const ENDS = 'This limit does not affect the key or any other account, and ends by itself.'
const WAIT = `${ENDS} You need not do anything.`
const SHARED =
  'The key is not limited. Does a proxy or the shop’s server hide the addresses of shoppers? Then set `trusted_proxies`, or let the server send X-Storefront-Client-IP. Otherwise, this may be an attack.'
const ATTACK =
  'The key is not limited. This may be an attack from many addresses. Devices and addresses that signed in to the account before can still sign in.'
const CALLER = 'Shoppers are not affected. The system that manages webhooks must make fewer calls.'

const text = (name: string, meaning: string, advice: string): ReachedLimitText => ({ name, meaning, advice })

const texts: Readonly<Record<RequestLimit | ThrottledAction, ReachedLimitText>> = {
  key: text(
    'limit of the key',
    'The API key was limited: all requests with it together were too many for a minute.',
    RAISE,
  ),
  client: text(
    'limit of one client of the key',
    'One client (network address) of the API key was limited: it sent too many requests in a minute. Others can still use the key.',
    'Is it a robot, or do many shoppers share one address? See the limits of the key on the page Keys.',
  ),
  logins: text(
    'shopper account, from one device or address',
    'The shopper account was limited, not the key: too many failed sign-ins to this account from one device or network address.',
    `${ENDS} Until then, the right password is refused too, but only from that device or address: the shopper can sign in from another one. If it was not the shopper who tried, somebody may be guessing the password: the shopper should set a new one that is used nowhere else. If many such requests are refused, tell the merchant. ${NOT_SHOWN}`,
  ),
  loginsByAddress: text(
    'network address, for sign-ins',
    'One network address was limited, not the key: too many failed sign-ins to any accounts from it.',
    SHARED,
  ),
  loginsByAccount: text(
    'shopper account, from unknown devices',
    'The shopper account was limited, not the key: too many failed sign-ins to it from unknown devices.',
    `${ATTACK} ${NOT_SHOWN}`,
  ),
  registrations: text(
    'email address, for registrations',
    'One email address was limited, not the key: too many registrations with it from one device or network address.',
    WAIT,
  ),
  resets: text(
    'shopper account, for password resets',
    'The shopper account was limited, not the key: too many password resets from one device or network address.',
    `${WAIT} ${NOT_SHOWN}`,
  ),
  emailsByAddress: text(
    'network address, for emails',
    'One network address was limited, not the key: it asked for too many emails.',
    SHARED,
  ),
  registrationsByAccount: text(
    'email address, for registrations',
    'One email address was limited, not the key: too many registrations with it.',
    WAIT,
  ),
  resetsByAccount: text(
    'shopper account, for password resets',
    'The shopper account was limited, not the key: too many password resets from unknown devices.',
    `${ATTACK} ${NOT_SHOWN}`,
  ),
  resetsWithoutAccount: text(
    'email address, for password resets',
    'One email address without an account was limited, not the key: too many password resets.',
    WAIT,
  ),
  wrongTokensByAddress: text(
    'network address, for tokens from emails',
    'One network address was limited, not the key: it sent too many wrong tokens from emails.',
    SHARED,
  ),
  promotionCodes: text(
    'customer, for promotion codes',
    'The customer was limited, not the key: too many promotion codes that do not apply.',
    'This limit is that of all accounts of the customer, and of no other customer or key. You need not do anything: the limit ends by itself.',
  ),
  pings: text('test events', 'The merchant sent too many test events to webhook endpoints in a minute.', CALLER),
  recoveries: text('recoveries', 'The merchant recovered missed events too often in a minute.', CALLER),
  redeliveries: text('redeliveries', 'The merchant sent too many events again in a minute.', CALLER),
}

/** Returns the texts of a limit; `null`: this release does not know it. */
export function describeReachedLimit(name: string): ReachedLimitText | null {
  if (!Object.hasOwn(texts, name)) return null
  const known = texts[name as keyof typeof texts]
  if (!Object.hasOwn(throttleAllowances, name)) return known
  const { points, durationMs } = throttleAllowances[name as ThrottledAction]
  const before = /^logins/.test(name)
    ? 'Request lists those before the limit, too, as refused sign-ins with a wrong password'
    : 'those before the limit are not recorded'
  return {
    ...known,
    meaning: `${known.meaning} There were more than ${formatNumber(points)} in ${formatDuration(durationMs)}; ${before}.`,
  }
}
