import { randomUUID } from 'node:crypto'
import type { Tracer } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { TracingConfig } from '../config/config.ts'
import { throttleLog } from '../lifecycle/log-throttle.ts'
import { BACKGROUND_STOP_TIMEOUT_MS, waitUpTo } from '../lifecycle/wait-up-to.ts'

export interface SpanExporterParts {
  config: TracingConfig
  /** Version of this program. */
  version: string
  logger: Pick<Logger, 'warn'>
  now: () => number
}

/** Spans that wait to be sent; those beyond are dropped. */
const MAX_QUEUED = 4_096
/** Small, because a batch is encoded as JSON in one go while requests wait. */
const MAX_BATCH = 256
const BATCH_MS = 1_000

/** Sends spans to a collector (OTLP, JSON over HTTP) in the background. Disposing sends what is left within a time limit. */
export function startSpanExporter({
  config,
  version,
  logger,
  now,
}: SpanExporterParts): { tracer: Tracer } & AsyncDisposable {
  /** Of one batch with all its retries. */
  const { sendTimeoutMs = BACKGROUND_STOP_TIMEOUT_MS } = config
  const exporter = new OTLPTraceExporter({
    url: config.endpoint,
    headers: { ...config.headers },
    timeoutMillis: sendTimeoutMs,
    keepAlive: true,
  })
  const batches = new BatchSpanProcessor({
    exporter: withFailureLog(exporter, logger, now),
    maxQueueSize: MAX_QUEUED,
    maxExportBatchSize: MAX_BATCH,
    scheduledDelayMillis: BATCH_MS,
    exportTimeoutMillis: sendTimeoutMs + 1_000,
  })
  const attributes = { 'service.name': 'forecourt', 'service.version': version, 'service.instance.id': randomUUID() }
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(attributes)),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.sample) }),
    spanProcessors: [batches],
    spanLimits: { attributeValueLengthLimit: 512 },
  })
  return {
    tracer: provider.getTracer('forecourt', version),
    async [Symbol.asyncDispose]() {
      await waitUpTo(
        sendTimeoutMs,
        provider.shutdown().catch(() => {}),
      )
    },
  }
}

/** Logs failed exports once a minute, without the collector's response: that may be any page of any server. */
function withFailureLog(exporter: SpanExporter, logger: Pick<Logger, 'warn'>, now: () => number): SpanExporter {
  let lost = 0
  const logFailure = throttleLog(
    ({ code, message }: NodeJS.ErrnoException) => {
      logger.warn({ cause: code ?? message, lost }, 'spans could not be sent to the collector and were dropped')
      lost = 0
    },
    { now },
  )
  return {
    export(spans, onResult) {
      exporter.export(spans, (result) => {
        if (result.error) {
          lost += spans.length
          logFailure(result.error)
        }
        onResult(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush!() }),
  }
}
