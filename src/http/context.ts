import type Koa from 'koa'
import type { Mode } from '../config/config.ts'
import type { SectionTrace } from '../sections/section.ts'
import type { RequestTraceRecorder } from '../tracing/tracing.ts'
import type { CallTrace } from '../upstream/call-trace.ts'
import type { AuthenticatedKey } from './api-key-cache.ts'
import type { RateLimitCharge } from './rate-limiter.ts'
import type { IdempotencyHandle } from './route.ts'

/** What the middlewares leave for each other and for the log line. */
export interface RequestState {
  requestId: string
  startedAt: number
  mode: Mode
  known?: AuthenticatedKey
  charge?: RateLimitCharge
  /** Of a request whose key may ask, and has not spent its limit. */
  trail?: RequestTraceRecorder
  /** Whose it is, of what needs no key. */
  tenant?: string
  /** The shopper's customer, when a secret key sent a token of this merchant. */
  customerId: string | null
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
  /** Set where the route takes an Idempotency-Key and the request has one. */
  once?: IdempotencyHandle
  /** For the log line. */
  route?: string
  cache?: string
  code?: string
  traces?: readonly SectionTrace[]
  calls?: ReadonlySet<CallTrace>
  deadlineMs?: number
}

export type Context = Koa.ParameterizedContext<RequestState>
export type Middleware = Koa.Middleware<RequestState>
