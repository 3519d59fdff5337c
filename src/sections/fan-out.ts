import type { RequestScope } from '../upstream/request/request-scope.ts'
import type { SectionOutcome } from '../upstream/request/section-outcome.ts'
import type { Section, SectionSource } from './section.ts'
import { type SectionError, SectionFailed, sectionError } from './section-errors.ts'
import { outcomeOf, type SectionTrace, toSectionTrace } from './section-trace.ts'

export interface AssembledSections<V> {
  values: V
  errors: SectionError[]
  traces: SectionTrace[]
}

/** Fills all sections at once. Errors come in declared order, so equal data gives equal bytes and one ETag. */
export async function fanOut<V extends Record<string, unknown>>(
  scope: RequestScope,
  sources: { [K in keyof V]: SectionSource<V[K]> },
): Promise<AssembledSections<V>> {
  const startedAt = performance.now()
  const names = Object.keys(sources)
  const traces = new Array<SectionTrace>(names.length)

  async function fill(name: string, at: number): Promise<Section<unknown>> {
    const source: SectionSource<unknown> = sources[name]!
    const endSection = scope.recorder?.section?.(name)
    const section = await (endSection ? record(source.section, endSection) : source.section)
    if (source.required) requireSection(name, section, scope)
    traces[at] = toSectionTrace(name, section, performance.now() - startedAt)
    return section
  }

  const sections = await Promise.all(names.map(fill))
  const values: Record<string, unknown> = {}
  const errors: SectionError[] = []
  for (const [at, name] of names.entries()) {
    const { value, error } = sections[at]!
    values[name] = value
    if (error) errors.push(sectionError(name, sections[at]!, error))
  }
  return { values: values as V, errors, traces }
}

/** Throws if a required section has no value to serve. The callers of the other sections leave at once. */
function requireSection(name: string, section: Section<unknown>, scope: RequestScope): void {
  const { error } = section
  if (!error || section.stale || section.partial || error.failure === 'not_configured') return
  scope.leave()
  error.system ??= section.system ?? null
  throw new SectionFailed(name, error)
}

async function record<T>(
  section: Promise<Section<T>>,
  endSection: (outcome: SectionOutcome | null) => void,
): Promise<Section<T>> {
  let outcome: SectionOutcome | null = null
  try {
    const filled = await section
    outcome = outcomeOf(filled)
    return filled
  } finally {
    endSection(outcome)
  }
}
