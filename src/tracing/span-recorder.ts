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
import { type Tenant, tenantKey } from '../tenant.ts'
import type { CallTrace } from '../upstream/request/call-trace.ts'
import type { CallRecorder, TraceRecorder } from '../upstream/request/trace-recorder.ts'
import {
  callSpanAttributes,
  isFailedOutcome,
  markSpanFailed,
  requestSpanAttributes,
  sectionSpanAttributes,
} from './span-attributes.ts'
import { type CallerTraceContext, toTraceparent } from './trace-context.ts'
import type { RequestTraceRecorder, ResponseTraceRecorder, Tracing } from './tracing.ts'

/** Converts a time of `performance.now()`, now by default, to milliseconds since the epoch. */
type Clock = (at?: number) => number

/** The span of a call, and the span that it is a child of. */
interface CallSpan {
  parent: Span
  context: SpanContext
}

/** Creates spans of requests, of the sections of their responses and of the upstream calls. */
export function createSpanRecorder(tracer: Tracer): Pick<Tracing, 'request' | 'background'> {
  const callSpans = new WeakMap<CallTrace, CallSpan>()

  function request(caller: CallerTraceContext | undefined, startedAt: number): RequestTraceRecorder {
    const clock = createClock()
    const parent = caller ? trace.setSpanContext(ROOT_CONTEXT, toSpanContext(caller)) : ROOT_CONTEXT
    const span = tracer.startSpan('request', { kind: SpanKind.SERVER, startTime: clock(startedAt) }, parent)
    const { traceId } = span.spanContext()
    if (!span.isRecording()) {
      const response = recordUnsampled(span, caller ?? traceContextOf(span, undefined))
      return { traceId, startResponse: () => response }
    }
    return {
      traceId,
      startResponse: (hasSections) => startResponse(span, hasSections, clock, caller?.tracestate),
      end(outcome) {
        span.updateName(outcome.route === 'none' ? outcome.method : outcome.route)
        span.setAttributes(requestSpanAttributes(outcome))
        const isDegraded = outcome.sections?.some((section) => isFailedOutcome(section.outcome)) ?? false
        if (outcome.status >= 500 || isDegraded) markSpanFailed(span, outcome.code)
        span.end(clock())
      },
    }
  }

  /** The trace context of an unsampled request goes upstream as well, so that the systems need not record it either. */
  function recordUnsampled(span: Span, context: TraceContext): TraceRecorder {
    const sent = { context: { traceparent: context.traceparent, tracestate: context.tracestate } }
    return {
      call(call) {
        callSpans.set(call, { parent: span, context: span.spanContext() })
        return sent
      },
    }
  }

  function startResponse(
    request: Span,
    hasSections: boolean,
    clock: Clock,
    tracestate: string | undefined,
  ): ResponseTraceRecorder {
    const responseSpan = hasSections ? startChild(request, 'fan-out', clock) : request
    let isDegraded = false
    return {
      call: (call) => startCall(call, responseSpan, clock, tracestate),
      section(name) {
        const span = startChild(responseSpan, `section ${name}`, clock)
        return (outcome) => {
          if (outcome) span.setAttributes(sectionSpanAttributes(outcome))
          if (outcome && isFailedOutcome(outcome.outcome)) {
            isDegraded = true
            markSpanFailed(span, outcome.code)
          }
          span.end(clock())
        }
      },
      end(calls) {
        for (const call of calls) {
          const callSpan = callSpans.get(call)
          // A call that is shared with other requests is a child of one of them, and linked from the others.
          if (callSpan && callSpan.parent !== responseSpan)
            responseSpan.addLink({ context: callSpan.context, attributes: callSpanAttributes(call) })
        }
        if (responseSpan === request) return
        if (isDegraded) markSpanFailed(responseSpan)
        responseSpan.end(clock())
      },
    }
  }

  function startChild(span: Span, name: string, clock: Clock): Span {
    return tracer.startSpan(name, { startTime: clock() }, trace.setSpan(ROOT_CONTEXT, span))
  }

  /** Without a parent, the call is a trace of its own. */
  function startCall(
    call: CallTrace,
    parent: Span | undefined,
    clock: Clock,
    tracestate?: string,
    tenant?: Tenant,
  ): CallRecorder {
    const context = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT
    const name = `${call.system} ${call.operation}`
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime: clock() }, context)
    callSpans.set(call, { parent: parent ?? span, context: span.spanContext() })
    const traceContext = traceContextOf(span, tracestate)
    if (!span.isRecording()) return { context: traceContext }
    return {
      context: traceContext,
      retried: (cause) => void span.addEvent('retry', { 'forecourt.cause': cause }, clock()),
      ended() {
        span.setAttributes(callSpanAttributes(call))
        if (tenant) span.setAttribute('forecourt.owner', tenantKey(tenant))
        if (isFailedOutcome(call.outcome)) markSpanFailed(span, call.cause)
        span.end(clock())
      },
    }
  }

  return {
    request,
    background: (tenant) => ({
      call: (call) => startCall(call, undefined, createClock(), undefined, tenant),
    }),
  }
}

/** A clock for one request: precise to a fraction of a millisecond, and monotonic also when the system clock is set. */
function createClock(): Clock {
  const epochMs = Date.now() - performance.now()
  return (at = performance.now()) => epochMs + at
}

const toSpanContext = ({ traceId, spanId, sampled, tracestate }: CallerTraceContext): SpanContext => ({
  traceId,
  spanId,
  isRemote: true,
  traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
})

function traceContextOf(span: Span, tracestate: string | undefined): TraceContext {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return { traceparent: toTraceparent(traceId, spanId, traceFlags), tracestate }
}
