import type { AttemptErrorCode } from '../contract/events/webhook-delivery.ts'
import { EgressRefusedError } from '../egress/egress-refused-error.ts'

/** An attempt that failed for a known reason. */
export class AttemptFailure extends Error {
  readonly failure: AttemptErrorCode
  constructor(failure: AttemptErrorCode) {
    super(failure)
    this.failure = failure
  }
}

const REFUSED = /^E(?:CONNREFUSED|HOSTUNREACH|NETUNREACH|HOSTDOWN|NETDOWN|ADDRNOTAVAIL|ACCES|PERM)$/
const TIMEOUT = /TIMEDOUT$|_TIMEOUT$/
const DNS = /^(?:ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL)$/
const TLS =
  /^(?:ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|EPROTO)/
const INVALID = /^(?:UND_ERR_(?:HEADERS_OVERFLOW|RES_|RESPONSE|NOT_SUPPORTED|INVALID|REQ_))/
/** Unrequested 100 and 101 responses. */
const UNREQUESTED = /^bad (?:response|upgrade)$/

/** Maps an error of DNS, a socket, TLS or the HTTP parser to its attempt error code. */
export function classifyAttemptFailure(error: unknown): AttemptErrorCode {
  if (error instanceof AttemptFailure) return error.failure
  if (error instanceof EgressRefusedError) return error.refusal
  const { code, name, message } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  const errorCode = String(code ?? '')
  if (REFUSED.test(errorCode)) return 'refused'
  if (TIMEOUT.test(errorCode)) return 'timeout'
  if (DNS.test(errorCode)) return 'dns'
  if (TLS.test(errorCode)) return 'tls'
  if (name === 'HTTPParserError' || INVALID.test(errorCode) || UNREQUESTED.test(message ?? ''))
    return 'invalid_response'
  return 'reset'
}
