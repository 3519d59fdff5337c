import type { UpstreamError, UpstreamFailure } from '../errors.ts'
import { connectionKind } from '../upstream/request/failure-kind.ts'

/** The place of a system in the configuration file (`merchants.acme.live.pricing`), and its origin. */
export interface SystemLocation {
  path: string
  origin: string
}

/** Describes how to fix a failed call, where the remedy is the same for every adapter. */
export function remedyForFailure({ failure, message }: UpstreamError, { path, origin }: SystemLocation): string {
  if (failure === 'unavailable') return remedyForConnection(message, path, origin)
  const status = /\bresponded(?: with)? (\d{3})/.exec(message)?.[1]
  if (status === '401' || status === '403') return `Check the login in ${path} and its permissions`
  if (status === '404')
    return `Check the path in ${path}.address, and its port: ${origin} responds, but not at this path`
  if (/plain HTTP request was sent to HTTPS/i.test(message)) return `Use https, not http, in ${path}.address`
  if (failure === 'timeout' && isTls(origin)) return `${usePlainHttp(path)}. ${fill(remedies.timeout, path, origin)}`
  return fill(remedies[failure], path, origin)
}

const isTls = (origin: string) => origin.startsWith('https:')
const fill = (remedy: string, path: string, origin: string) =>
  remedy.replaceAll('{path}', path).replaceAll('{origin}', origin)
/** A server that speaks plain HTTP may wait forever for the rest of a TLS handshake. */
const usePlainHttp = (path: string) => `If the system speaks plain HTTP, use http, not https, in ${path}.address`

function remedyForConnection(message: string, path: string, origin: string): string {
  const kind = connectionKind(message)
  if (kind.startsWith('TLS'))
    return `Check the certificate of ${origin}, and http or https in ${path}.address; trust your own certificate with NODE_EXTRA_CA_CERTS`
  if (kind === 'name not found') return `The host name cannot be resolved: check it in ${path}.address`
  if (kind === 'connection refused')
    return `Nothing listens at ${origin}: start the system there, or correct ${path}.address`
  if (kind === 'no route to the system' || kind === 'no connection in time')
    return `${isTls(origin) ? `${usePlainHttp(path)}. Otherwise ` : ''}${origin} cannot be reached from this machine: check routes and firewalls`
  const protocol = isTls(origin)
    ? usePlainHttp(path)
    : `If the system speaks TLS, use https, not http, in ${path}.address`
  return `${protocol}. Otherwise the connection to ${origin} was lost: check the logs of the system and of any proxy in front of it`
}

const remedies: Readonly<Record<UpstreamFailure, string>> = {
  timeout: 'Find out why {origin} is slow or hangs: check its log, its database and the load of its machine',
  unavailable: '',
  error: 'Check the log of {origin} at this time: the call failed there',
  invalid: 'The response of {origin} is not what the adapter expects: check {path}.adapter and {path}.address',
  rejected: 'The system rejected the call: check the findings, and the permissions of the login in {path}',
  unauthorized: 'The system refuses the login: renew the key or the password in {path}, and restart Forecourt',
  misconfigured: 'Correct the setting in {path}, and restart Forecourt',
  rate_limited: 'The system limits the rate of calls: raise the limit for this login, or wait and try again',
  circuit_open: 'Try again in a moment',
  maintenance: 'Try again when the maintenance has ended',
  overloaded: 'Too many calls wait for {origin}: find out why it is slow, or raise {path}.limits.concurrency',
  not_configured: 'If shoppers need it, add what is missing to the system',
  aborted: 'Run it again with more time: --within <seconds>',
}
