import type Koa from 'koa'
import type { Mode } from '../config/config.ts'
import type { Once } from './route.ts'
import type { SectionTrace } from '../sections/section.ts'
import type { RequestTrail } from '../tracing/tracing.ts'
import type { CallTrace } from '../upstream/call-trace.ts'
import type { KnownKey } from './api-key-cache.ts'
import type { Charge } from './rate-limiter.ts'

/** What the middlewares leave for each other and for the log line. */
export interface State {
  requestId: string
  startedAt: number
  mode: Mode
  known?: KnownKey
  charge?: Charge
  /** Of a request whose key may ask, and has not spent its limit. */
  trail?: RequestTrail
  /** Whose it is, of what needs no key. */
  tenant?: string
  /** The shopper's customer, when a secret key sent a token of this merchant. */
  customerId: string | null
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
  /** Set where the route takes an Idempotency-Key and the request has one. */
  once?: Once
  /** For the log line. */
  route?: string
  cache?: string
  code?: string
  traces?: readonly SectionTrace[]
  calls?: ReadonlySet<CallTrace>
  deadlineMs?: number
}

export type Context = Koa.ParameterizedContext<State>
export type Middleware = Koa.Middleware<State>
