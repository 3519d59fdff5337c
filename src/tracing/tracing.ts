import type { TracingConfig } from '../config/config.ts'
import type { FinishedRequest } from '../diagnostics/finished-request.ts'
import type { Tenant } from '../tenant.ts'
import type { CallTrace } from '../upstream/request/call-trace.ts'
import type { TraceRecorder } from '../upstream/request/trace-recorder.ts'
import type { SpanExporterParts } from './span-exporter.ts'
import type { CallerTraceContext } from './trace-context.ts'

/** Records the assembly of one response: its sections and their calls. */
export interface ResponseTraceRecorder extends TraceRecorder {
  /** `calls`: all upstream calls that the response waited for, also those shared with other requests. */
  end?(calls: Iterable<CallTrace>): void
}

/** Records one request in its trace. */
export interface RequestTraceRecorder {
  readonly traceId: string
  /** `hasSections`: the response is assembled from sections in parallel. */
  startResponse(hasSections: boolean): ResponseTraceRecorder
  /** Called when the response has been sent. */
  end?(request: FinishedRequest): void
}

/**
 * Tracing shows where the time of single requests went, across Forecourt, the storefront and the upstream systems. It records a span for each
 * sampled request, for each section of its response and for each upstream call, and sends them to an OpenTelemetry collector.
 */
export interface Tracing extends AsyncDisposable {
  /** `startedAt`: a time of `performance.now()`. */
  request(caller: CallerTraceContext | undefined, startedAt: number): RequestTraceRecorder
  /** Records upstream calls of a tenant that no request waits for. */
  background(tenant: Tenant): TraceRecorder
}

/** Loads the code that records and sends spans only if tracing is configured: it costs start-up time and memory. */
export async function openTracing(config: TracingConfig, parts: Omit<SpanExporterParts, 'config'>): Promise<Tracing> {
  const [{ startSpanExporter }, { createSpanRecorder }] = await Promise.all([
    import('./span-exporter.ts'),
    import('./span-recorder.ts'),
  ])
  const exporter = startSpanExporter({ config, ...parts })
  return { ...createSpanRecorder(exporter.tracer), [Symbol.asyncDispose]: () => exporter[Symbol.asyncDispose]() }
}

/** Without tracing, the caller's trace context is passed on upstream unchanged. */
export function createPassThroughRecorder({
  traceId,
  traceparent,
  tracestate,
}: CallerTraceContext): RequestTraceRecorder {
  const sent = { context: { traceparent, tracestate } }
  return { traceId, startResponse: () => ({ call: () => sent }) }
}
