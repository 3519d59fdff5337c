import type { SkuRefusal } from '../errors.ts'
import type { SectionTrace } from '../sections/section-trace.ts'
import type { Mode, Tenant } from '../tenant.ts'
import type { CallTrace } from '../upstream/request/call-trace.ts'

/** The limit that a request met. */
export interface ReachedLimit {
  /** `key`, `client`, or the action that was tried too often. */
  name: string
  retryAfterSeconds: number
}

/**
 * A request whose response has ended or whose client has left, for the access log, metrics, incidents and request records. A cached read
 * has only the required members.
 */
export interface FinishedRequest {
  requestId: string
  mode: Mode
  /** The merchant; `null` without a key, or with an unknown one. */
  tenant: string | null
  keyId: string | null
  /** The tenant of a revoked or expired key. Its requests are recorded under this merchant, and counted for none. */
  endedKeyOf?: Tenant
  /** For the access log; it is not recorded. */
  clientAddress: string
  method: string
  url: string
  /** The operation id; `none` when no route matches. */
  route: string
  status: number
  ms: number
  /** `hit`, `stale`, `miss`, `bypass` or `none`. */
  cache: string
  /** Code of the problem in the response. */
  code?: string | undefined
  /** For a 429. */
  reachedLimit?: ReachedLimit | undefined
  sections?: readonly SectionTrace[] | undefined
  calls?: readonly CallTrace[] | undefined
  deadlineMs?: number | undefined
  /** The shopper's customer, in the back office. */
  customerId?: string | null | undefined
  /** SKUs in the path, the body and the problem of the response. */
  skus?: readonly string[] | undefined
  /** The SKUs that the problem of the response names. */
  refusedSkus?: readonly string[] | undefined
  /** Why they are refused, as far as that is known. */
  skuRefusals?: readonly SkuRefusal[] | undefined
  /** The cart that the request is about. */
  cartId?: string | null | undefined
  /** Id of the trace that it belongs to: the caller's, or one of ours. */
  traceId?: string | undefined
}
