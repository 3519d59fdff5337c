import type { UpstreamError, UpstreamFailure } from '../errors.ts'

/** Where in the configuration file a system stands: `merchants.acme.live.pricing`, and at what address. */
export interface SystemLocation {
  path: string
  origin: string
}

const TLS =
  /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ERR_TLS|ERR_SSL|EPROTO|wrong version number|packet length too long/i

/** How to mend what a failed question says, as far as that is the same for every adapter. */
export function remedyForFailure({ failure, message }: UpstreamError, { path, origin }: SystemLocation): string {
  if (failure === 'unavailable') return unreachable(message, path, origin)
  const status = /answered (\d{3})/.exec(message)?.[1]
  if (status === '401' || status === '403') return `Look at the login in ${path}, and at what it may do there`
  if (status === '404') return `Look at the path in ${path}.address: ${origin} answers, and knows nothing there`
  if (/plain HTTP request was sent to HTTPS/i.test(message)) return `Write https, not http, in ${path}.address`
  if (failure === 'timeout' && isTls(origin)) return `${plain(path)}. ${filled(remedies.timeout, path, origin)}`
  return filled(remedies[failure], path, origin)
}

const isTls = (origin: string) => origin.startsWith('https:')
const filled = (remedy: string, path: string, origin: string) =>
  remedy.replaceAll('{path}', path).replaceAll('{origin}', origin)
/** A server that speaks plain http may wait for ever for the end of what TLS says first. */
const plain = (path: string) => `If the system speaks plain http, write http, not https, in ${path}.address`

function unreachable(message: string, path: string, origin: string): string {
  if (TLS.test(message))
    return `Look at the certificate of ${origin} and at http or https in ${path}.address; a certificate of your own is trusted with NODE_EXTRA_CA_CERTS`
  if (/ENOTFOUND|EAI_AGAIN/.test(message)) return `No such host is known here: look at the name in ${path}.address`
  if (/ECONNREFUSED/.test(message))
    return `Nothing listens at ${origin}: start the system there, or mend ${path}.address`
  if (/EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|CONNECT_TIMEOUT/.test(message))
    return `${isTls(origin) ? `${plain(path)}. Else no` : 'No'} way leads to ${origin} from here: look at routes and firewalls`
  const other = isTls(origin) ? plain(path) : `If the system speaks TLS, write https, not http, in ${path}.address`
  return `${other}. Else the connection to ${origin} broke off: look in the log of the system, and of any proxy before it`
}

const remedies: Readonly<Record<UpstreamFailure, string>> = {
  timeout: 'Find out why {origin} takes so long or hangs: its log, its database, the load of its machine',
  unavailable: '',
  error: 'Look in the log of {origin} at this moment: the question failed there',
  invalid: 'What answers at {origin} does not speak as the adapter expects: look at {path}.adapter and .address',
  rejected: 'The system refused the question: look at the findings, and at the rights of the login in {path}',
  rate_limited: 'The system asks for fewer questions: raise its limit for this login, or wait and ask again',
  circuit_open: 'Ask again in a moment',
  overloaded: 'There is more of it than the adapter reads at once',
  not_configured: 'Bring to the system what is missing, if shoppers shall have it',
  aborted: 'Ask again, with more time: --within <seconds>',
}
