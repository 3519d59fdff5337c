import type { IncomingHttpHeaders } from 'node:http'
import { parseCallerTraceContext } from '../tracing/trace-context.ts'
import { createPassThroughRecorder, type RequestTraceRecorder, type Tracing } from '../tracing/tracing.ts'
import type { Middleware } from './context.ts'

/** The trace that a request belongs to: its caller's, when it names one, or else one of ours, where spans are made. */
export function createRequestTraceRecorder(
  headers: IncomingHttpHeaders,
  startedAt: number,
  tracing: Tracing | undefined,
): RequestTraceRecorder | undefined {
  const caller = headers.traceparent === undefined ? undefined : parseCallerTraceContext(headers)
  if (tracing) return tracing.request(caller, startedAt)
  return caller && createPassThroughRecorder(caller)
}

/** Behind the key and its limit: others' word for a trace is not taken, nor what they say of being recorded. */
export function traceRequest(tracing: Tracing | undefined): Middleware {
  return (ctx, next) => {
    const { state } = ctx
    const trail = createRequestTraceRecorder(ctx.req.headers, state.startedAt, tracing)
    if (trail) state.trail = trail
    return next()
  }
}
