import type { RequestOutcome } from '../diagnostics/request-outcome.ts'
import type { CallTrace } from '../upstream/call-trace.ts'
import type { TraceRecorder } from '../upstream/trace-recorder.ts'
import type { CallerTraceContext } from './trace-context.ts'

/** An answer while it is made: what its sections and their calls are parts of. */
export interface ResponseTraceRecorder extends TraceRecorder {
  /** All that was asked of the systems for it, alone or together with others. */
  end?(calls: Iterable<CallTrace>): void
}

/** The trace that one request belongs to. */
export interface RequestTraceRecorder {
  readonly traceId: string
  /** `sectioned`: it is made of sections, at once. */
  startResponse(sectioned: boolean): ResponseTraceRecorder
  /** Told when the answer has been handed over. */
  end?(outcome: RequestOutcome): void
}

/** Makes a span of each request, section and call, of those that are sampled. */
export interface Tracing extends AsyncDisposable {
  /** `startedAt`: by `performance.now()`. */
  request(caller: CallerTraceContext | undefined, startedAt: number): RequestTraceRecorder
  /** Of calls to the systems of "acme/live" that no request waits for. */
  background(owner: string): TraceRecorder
}

/** Where no spans are made, a trace goes on upstream as it came. */
export function createPassThroughRecorder({
  traceId,
  traceparent,
  tracestate,
}: CallerTraceContext): RequestTraceRecorder {
  const sent = { context: { traceparent, tracestate } }
  return { traceId, startResponse: () => ({ call: () => sent }) }
}
