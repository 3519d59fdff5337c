import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
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

export interface SpanExporterParts {
  config: TracingConfig
  /** Of this program. */
  version: string
  logger: Pick<Logger, 'warn'>
  now: () => number
}

/** Spans held at the most while they wait to be sent; what comes on top is lost. */
const MAX_QUEUED = 4_096
/** Few at a time: they are made into JSON at one go, while requests wait. */
const MAX_BATCH = 256
const BATCH_MS = 1_000
/** For one batch, with all its repetitions, and for what is left at the end. */
const SEND_MS = 2_000
const LOGGED_EACH_MS = 60_000

/** Sends spans to a collector (OTLP, JSON over HTTP) in the background. Disposing sends what is left, or gives it up soon. */
export function startSpanExporter({
  config,
  version,
  logger,
  now,
}: SpanExporterParts): { tracer: Tracer } & AsyncDisposable {
  const exporter = new OTLPTraceExporter({
    url: config.endpoint,
    headers: { ...config.headers },
    timeoutMillis: SEND_MS,
    keepAlive: true,
  })
  const batches = new BatchSpanProcessor({
    exporter: telling(exporter, logger, now),
    maxQueueSize: MAX_QUEUED,
    maxExportBatchSize: MAX_BATCH,
    scheduledDelayMillis: BATCH_MS,
    exportTimeoutMillis: SEND_MS + 1_000,
  })
  const names = { 'service.name': 'forecourt', 'service.version': version, 'service.instance.id': randomUUID() }
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(names)),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.sample) }),
    spanProcessors: [batches],
    spanLimits: { attributeValueLengthLimit: 512 },
  })
  return {
    tracer: provider.getTracer('forecourt', version),
    async [Symbol.asyncDispose]() {
      const given = new AbortController()
      const patience = pause(SEND_MS, undefined, { signal: given.signal }).catch(() => {})
      await Promise.race([provider.shutdown().catch(() => {}), patience])
      given.abort()
    },
  }
}

/** A collector that is away is told of once in a while. What it answered is not: it may be anybody's page. */
function telling(exporter: SpanExporter, logger: Pick<Logger, 'warn'>, now: () => number): SpanExporter {
  let lost = 0
  let toldAt = Number.NEGATIVE_INFINITY
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error) lost += spans.length
        if (result.error && now() - toldAt >= LOGGED_EACH_MS) {
          toldAt = now()
          const { code, message } = result.error as NodeJS.ErrnoException
          logger.warn({ cause: code ?? message, lost }, 'spans could not be handed to the collector, and are lost')
          lost = 0
        }
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush!() }),
  }
}
