import type { IncomingHttpHeaders } from 'node:http'
import { parseCallerTraceContext } from '../tracing/trace-context.ts'
import { createPassThroughRecorder, type RequestTraceRecorder, type Tracing } from '../tracing/tracing.ts'
import type { Middleware } from './context.ts'

/** Continues the caller's trace, or starts one where spans are recorded. */
export function createRequestTraceRecorder(
  headers: IncomingHttpHeaders,
  startedAt: number,
  tracing: Tracing | undefined,
): RequestTraceRecorder | undefined {
  const caller = headers.traceparent === undefined ? undefined : parseCallerTraceContext(headers)
  if (tracing) return tracing.request(caller, startedAt)
  return caller && createPassThroughRecorder(caller)
}

/** Runs after authentication and the rate limit, so that only callers with a key can name a trace or have it sampled. */
export function traceRequest(tracing: Tracing | undefined): Middleware {
  return (ctx, next) => {
    const { state } = ctx
    const recorder = createRequestTraceRecorder(ctx.req.headers, state.startedAt, tracing)
    if (recorder) state.recorder = recorder
    return next()
  }
}
