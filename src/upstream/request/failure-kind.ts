import type { UpstreamError, UpstreamFailure } from '../../errors.ts'

/** How a connection failed, by the error code or the text of Node.js. The first match counts. */
const connectionKinds: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/CERT_HAS_EXPIRED/, 'TLS certificate expired'],
  [/CERT_NOT_YET_VALID/, 'TLS certificate not valid yet'],
  [/ERR_TLS_CERT_ALTNAME_INVALID/, 'TLS certificate for another name'],
  [/SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|CERT_/, 'TLS certificate not trusted'],
  [/CERT|ERR_TLS|ERR_SSL|EPROTO|wrong version number|packet length too long/i, 'TLS handshake failed'],
  [/ENOTFOUND|EAI_AGAIN/, 'name not found'],
  [/ECONNREFUSED/, 'connection refused'],
  [/EHOSTUNREACH|ENETUNREACH/, 'no route to the system'],
  [/ETIMEDOUT|CONNECT_TIMEOUT/, 'no connection in time'],
  [/ECONNRESET|EPIPE|UND_ERR_SOCKET|socket hang up/, 'connection lost'],
]

const kinds: Readonly<Record<UpstreamFailure, string>> = {
  timeout: 'no response in time',
  unavailable: 'connection failed',
  error: 'error response',
  invalid: 'unreadable response',
  rejected: 'request rejected',
  unauthorized: 'login refused',
  misconfigured: 'wrong setting',
  rate_limited: 'rate limit of the system',
  circuit_open: 'circuit open',
  maintenance: 'planned maintenance',
  overloaded: 'queue full',
  not_configured: 'not offered',
  aborted: 'no request was waiting',
}

/** Times in kinds are multiples of this, so that equal failures count as one kind. */
const TIME_STEP_MS = 50

/**
 * Returns how a call failed in a few words for operators: `connection refused`, `TLS certificate expired`, `no response in 700 ms`,
 * `HTTP 502`. A call that an open circuit refused has the kind of the failures that opened it. A kind never quotes the system.
 */
export function failureKind({ failure, summary, openedBy }: UpstreamError): string {
  if (failure === 'circuit_open') return openedBy ?? kinds.circuit_open
  if (failure === 'unavailable') return unavailableKind(summary ?? '')
  if (failure === 'timeout') return timeoutKind(summary ?? '')
  const status = /^responded (\d{3})(?:$|: )/.exec(summary ?? '')?.[1]
  if (status === undefined || failure === 'unauthorized' || failure === 'rate_limited') return kinds[failure]
  return `HTTP ${status}`
}

/** Returns how a connection failed, from the error code or the message of Node.js. */
export function connectionKind(text: string): string {
  return connectionKinds.find(([pattern]) => pattern.test(text))?.[1] ?? kinds.unavailable
}

/** A summary that is no error code is a sentence of ours. */
const unavailableKind = (summary: string) => (/^[a-z]/.test(summary) ? summary : connectionKind(summary))

function timeoutKind(summary: string): string {
  const [, text, time = 0] = /^(no response in|incomplete response after) (\d+) ms$/.exec(summary) ?? []
  const afterMs = Number(time)
  const roundedMs = afterMs - (afterMs % TIME_STEP_MS)
  if (roundedMs > 0) return `${text} ${roundedMs} ms`
  return text?.startsWith('incomplete') ? 'incomplete response' : kinds.timeout
}
