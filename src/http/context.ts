import type Koa from 'koa'
import type { ReachedLimit } from '../diagnostics/finished-request.ts'
import type { SkuRefusal } from '../errors.ts'
import type { SectionTrace } from '../sections/section-trace.ts'
import type { ApiKey } from '../storage/keys/api-keys.ts'
import type { Mode } from '../tenant.ts'
import type { RequestTraceRecorder } from '../tracing/tracing.ts'
import type { CallTrace } from '../upstream/request/call-trace.ts'
import type { AuthenticatedKey } from './access/api-key-cache.ts'
import type { IdempotencyHandle } from './idempotency/idempotency-handle.ts'
import type { RateLimitCharge } from './limits/rate-limiter.ts'

/** The values that middlewares pass on to each other and to the access log. */
export interface RequestState {
  requestId: string
  startedAt: number
  /** A canonical IP address, or `unknown`: the other end of the connection, or the client that a trusted proxy names. */
  clientAddress: string
  mode: Mode
  key?: AuthenticatedKey
  /** The revoked or expired key of a refused request. */
  endedKey?: ApiKey
  charge?: RateLimitCharge
  /** Set once the key is authorized and within its rate limit. */
  recorder?: RequestTraceRecorder
  /** The merchant of a request without a key (a picture). */
  merchant?: string
  /** The shopper's customer: set when a secret key sent a shopper token of its merchant. */
  customerId: string | null
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
  /** The response has a hint about the request: its URL is not served from the fast path, which sends no hints. */
  hasHint?: boolean
  /** Set when the route accepts an Idempotency-Key and the request has one. */
  idempotency?: IdempotencyHandle
  /** When an event stream was opened: that it stays open, until its client leaves, says nothing about the server. */
  streamOpenedAt?: number
  /** For the access log, from here on. */
  route?: string
  cacheStatus?: string
  code?: string
  reachedLimit?: ReachedLimit
  /** The SKUs that the problem in the response names. */
  refusedSkus?: readonly string[]
  /** Why they are refused, as far as that is known. */
  skuRefusals?: readonly SkuRefusal[]
  sectionTraces?: readonly SectionTrace[]
  calls?: ReadonlySet<CallTrace>
  deadlineMs?: number
}

export type Context = Koa.ParameterizedContext<RequestState>
export type Middleware = Koa.Middleware<RequestState>
