import { EgressRefusedError } from '../egress/egress-refused-error.ts'
import type { AttemptErrorCode } from './webhook-request.ts'

/** Thrown where it is known what went wrong. */
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
/** 100 and 101 without a word of ours. */
const UNASKED = /^bad (?:response|upgrade)$/

/** The code of an error from a name server, a socket, TLS or the HTTP parser. */
export function classifyAttemptFailure(error: unknown): AttemptErrorCode {
  if (error instanceof AttemptFailure) return error.failure
  if (error instanceof EgressRefusedError) return error.refusal
  const { code, name, message } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  const said = String(code ?? '')
  if (REFUSED.test(said)) return 'refused'
  if (TIMEOUT.test(said)) return 'timeout'
  if (DNS.test(said)) return 'dns'
  if (TLS.test(said)) return 'tls'
  if (name === 'HTTPParserError' || INVALID.test(said) || UNASKED.test(message ?? '')) return 'invalid_response'
  return 'reset'
}
