import {
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { TraceContext } from '../ports/call.ts'
import type { CallTrace } from '../upstream/call-trace.ts'
import type { CallRecorder, TraceRecorder } from '../upstream/trace-recorder.ts'
import {
  callSpanAttributes,
  isFailedOutcome,
  markSpanFailed,
  requestSpanAttributes,
  sectionSpanAttributes,
} from './span-attributes.ts'
import { type CallerTraceContext, toTraceparent } from './trace-context.ts'
import type { RequestTraceRecorder, ResponseTraceRecorder, Tracing } from './tracing.ts'

/** Milliseconds since the epoch of a time by `performance.now()`; of now, when it is not said. */
type Clock = (at?: number) => number

/** Whose part a call is, and where that is to be found. */
interface Followed {
  by: object
  at: SpanContext
}

/** Spans of requests, of the sections of their answers and of calls to the systems behind them. */
export function createSpanRecorder(tracer: Tracer): Pick<Tracing, 'request' | 'background'> {
  const followed = new WeakMap<CallTrace, Followed>()

  function request(caller: CallerTraceContext | undefined, startedAt: number): RequestTraceRecorder {
    const clock = createClock()
    const parent = caller ? trace.setSpanContext(ROOT_CONTEXT, remote(caller)) : ROOT_CONTEXT
    const span = tracer.startSpan('request', { kind: SpanKind.SERVER, startTime: clock(startedAt) }, parent)
    const { traceId } = span.spanContext()
    if (!span.isRecording()) {
      const passing = unrecorded(span, caller ?? sentWith(span, undefined))
      return { traceId, startResponse: () => passing }
    }
    return {
      traceId,
      startResponse: (sectioned) => answering(span, sectioned, clock, caller?.tracestate),
      end(outcome) {
        span.updateName(outcome.route === 'none' ? outcome.method : outcome.route)
        span.setAttributes(requestSpanAttributes(outcome))
        const isDegraded = outcome.sections?.some((section) => isFailedOutcome(section.outcome)) ?? false
        if (outcome.status >= 500 || isDegraded) markSpanFailed(span, outcome.code)
        span.end(clock())
      },
    }
  }

  /** Its calls are told that nobody records them, so that their systems need not either. */
  function unrecorded(span: Span, context: TraceContext): TraceRecorder {
    const at = span.spanContext()
    const sent = { context: { traceparent: context.traceparent, tracestate: context.tracestate } }
    return {
      call(call) {
        followed.set(call, { by: span, at })
        return sent
      },
    }
  }

  function answering(
    request: Span,
    sectioned: boolean,
    clock: Clock,
    tracestate: string | undefined,
  ): ResponseTraceRecorder {
    const whole = sectioned ? childOf(request, 'fan-out', clock) : request
    let isDegraded = false
    return {
      call: (call) => begin(call, whole, clock, tracestate),
      section(name) {
        const span = childOf(whole, `section ${name}`, clock)
        return (end) => {
          if (end) span.setAttributes(sectionSpanAttributes(end))
          if (end && isFailedOutcome(end.outcome)) {
            isDegraded = true
            markSpanFailed(span, end.code)
          }
          span.end(clock())
        }
      },
      end(calls) {
        for (const call of calls) {
          const other = followed.get(call)
          if (other && other.by !== whole) whole.addLink({ context: other.at, attributes: callSpanAttributes(call) })
        }
        if (whole === request) return
        if (isDegraded) markSpanFailed(whole)
        whole.end(clock())
      },
    }
  }

  function childOf(span: Span, name: string, clock: Clock): Span {
    return tracer.startSpan(name, { startTime: clock() }, trace.setSpan(ROOT_CONTEXT, span))
  }

  /** `parent`: left out, the call is a trace of its own. */
  function begin(
    call: CallTrace,
    parent: Span | undefined,
    clock: Clock,
    tracestate?: string,
    owner?: string,
  ): CallRecorder {
    const within = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT
    const name = `${call.system} ${call.operation}`
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime: clock() }, within)
    followed.set(call, { by: parent ?? span, at: span.spanContext() })
    const context = sentWith(span, tracestate)
    if (!span.isRecording()) return { context }
    return {
      context,
      retried: (cause) => void span.addEvent('retry', { 'forecourt.cause': cause }, clock()),
      ended() {
        span.setAttributes(callSpanAttributes(call))
        if (owner) span.setAttribute('forecourt.owner', owner)
        if (isFailedOutcome(call.outcome)) markSpanFailed(span, call.cause)
        span.end(clock())
      },
    }
  }

  return {
    request,
    background: (owner) => ({
      call: (call) => begin(call, undefined, createClock(), undefined, owner),
    }),
  }
}

/** One for a request: to a fraction of a millisecond, and never behind itself, whatever becomes of the clock on the wall. */
function createClock(): Clock {
  const epochMs = Date.now() - performance.now()
  return (at = performance.now()) => epochMs + at
}

const remote = ({ traceId, spanId, sampled, tracestate }: CallerTraceContext): SpanContext => ({
  ...{ traceId, spanId, isRemote: true },
  traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
})

function sentWith(span: Span, tracestate: string | undefined): TraceContext {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return { traceparent: toTraceparent(traceId, spanId, traceFlags), tracestate }
}
