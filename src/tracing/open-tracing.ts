import type { TracingConfig } from '../config/config.ts'
import type { SpanExporterParts } from './span-exporter.ts'
import type { Tracing } from './tracing.ts'

/** Loads what makes spans and sends them: whoever has not configured it pays nothing for it, neither time nor memory. */
export async function openTracing(config: TracingConfig, parts: Omit<SpanExporterParts, 'config'>): Promise<Tracing> {
  const [{ startSpanExporter: startExporting }, { createSpanRecorder: createSpans }] = await Promise.all([
    import('./span-exporter.ts'),
    import('./span-recorder.ts'),
  ])
  const exporting = startExporting({ config, ...parts })
  return { ...createSpans(exporting.tracer), [Symbol.asyncDispose]: () => exporting[Symbol.asyncDispose]() }
}
