import type { TracingConfig } from '../config.ts'
import type { Exporting } from './exporting.ts'
import type { Tracing } from './tracing.ts'

/** Loads what makes spans and sends them: whoever has not configured it pays nothing for it, neither time nor memory. */
export async function openTracing(config: TracingConfig, parts: Omit<Exporting, 'config'>): Promise<Tracing> {
  const [{ startExporting }, { createSpans }] = await Promise.all([import('./exporting.ts'), import('./spans.ts')])
  const exporting = startExporting({ config, ...parts })
  return { ...createSpans(exporting.tracer), [Symbol.asyncDispose]: () => exporting[Symbol.asyncDispose]() }
}
