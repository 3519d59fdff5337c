import type { RequestScope } from '../upstream/request-scope.ts'
import type { SectionOutcome } from '../upstream/trace-recorder.ts'
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

  async function fill([name, source]: [string, SectionSource<unknown>]) {
    const endSection = scope.recorder?.section?.(name)
    const section = await (endSection ? record(source.section, endSection) : source.section)
    if (source.required) requireSection(name, section, scope)
    return { name, section, ms: performance.now() - startedAt }
  }

  const filled = await Promise.all(Object.entries<SectionSource<unknown>>(sources).map(fill))
  return {
    values: Object.fromEntries(filled.map(({ name, section }) => [name, section.value])) as V,
    errors: filled.flatMap(({ name, section }) => (section.error ? [sectionError(name, section, section.error)] : [])),
    traces: filled.map(({ name, section, ms }) => toSectionTrace(name, section, ms)),
  }
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
