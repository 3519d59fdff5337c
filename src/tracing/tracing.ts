import type { Outcome } from '../diagnostics/request-outcome.ts'
import type { CallTrace } from '../upstream/call-trace.ts'
import type { Trail } from '../upstream/trace-recorder.ts'
import type { CallerContext } from './trace-context.ts'

/** An answer while it is made: what its sections and their calls are parts of. */
export interface AnswerTrail extends Trail {
  /** All that was asked of the systems for it, alone or together with others. */
  ended?(calls: Iterable<CallTrace>): void
}

/** The trace that one request belongs to. */
export interface RequestTrail {
  readonly traceId: string
  /** `sectioned`: it is made of sections, at once. */
  answering(sectioned: boolean): AnswerTrail
  /** Told when the answer has been handed over. */
  ended?(outcome: Outcome): void
}

/** Makes a span of each request, section and call, of those that are sampled. */
export interface Tracing extends AsyncDisposable {
  /** `startedAt`: by `performance.now()`. */
  request(caller: CallerContext | undefined, startedAt: number): RequestTrail
  /** Of calls to the systems of "acme/live" that no request waits for. */
  background(owner: string): Trail
}

/** Where no spans are made, a trace goes on upstream as it came. */
export function passedOn({ traceId, traceparent, tracestate }: CallerContext): RequestTrail {
  const sent = { context: { traceparent, tracestate } }
  return { traceId, answering: () => ({ call: () => sent }) }
}
