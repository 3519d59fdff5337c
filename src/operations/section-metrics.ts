import type { Registry } from 'prom-client'
import type { Mode } from '../config/config.ts'
import { liveCallSections } from '../diagnostics/live-call-sections.ts'
import { isSimulatedOutcome } from '../diagnostics/outcome-rules.ts'
import type { RequestOutcome } from '../diagnostics/request-outcome.ts'
import { problemTypes } from '../errors.ts'
import { classifyServedSection } from './classify-outcome.ts'
import { createLabelledCounter } from './labelled-counter.ts'
import type { MerchantLabel } from './merchant-label.ts'

const modes: readonly Mode[] = ['live', 'sandbox']

/** What is counted of a request beyond its answer: its problem, its sections, the calls it leant on. A read from the cache has none of them. */
export function createSectionMetrics(
  registry: Registry,
  merchantOf: MerchantLabel,
  merchants: readonly string[],
): (outcome: RequestOutcome) => void {
  const problem = createLabelledCounter(registry, {
    name: 'forecourt_problems_total',
    help: 'Problems answered, by merchant, mode and code; rate_limited are the rate limits met',
    labels: ['merchant', 'mode', 'code'],
  })
  const sections = createLabelledCounter(registry, {
    name: 'forecourt_sections_total',
    help: 'Sections of answers, by merchant, mode, system, section, code (ok when it was well) and what was served',
    labels: ['merchant', 'mode', 'system', 'section', 'code', 'served'],
  })
  const uses = createLabelledCounter(registry, {
    name: 'forecourt_upstream_uses_total',
    help: 'Upstream calls that requests waited for: over forecourt_upstream_calls_total, how many share one',
    labels: ['merchant', 'mode', 'system'],
  })
  const checkouts = createLabelledCounter(registry, {
    name: 'forecourt_checkouts_total',
    help: 'Checkouts, by merchant, mode, status and problem code',
    labels: ['merchant', 'mode', 'status', 'code'],
  })

  // A series that is born with its first error has not risen, and an alert on its rise would miss that one.
  for (const merchant of [...merchants, 'none'])
    for (const mode of modes) problem.series(merchant, mode, 'internal_error')

  return (outcome) => {
    const { tenant, mode, route, status, code } = outcome
    if (code === undefined && route !== 'checkout' && !outcome.sections && !outcome.calls) return
    const merchant = merchantOf(tenant)
    if (code !== undefined) problem.increment(merchant, mode, codeOf(code))
    if (route === 'checkout')
      checkouts.increment(merchant, mode, String(status), code === undefined ? 'none' : codeOf(code))
    const told = outcome.sections ?? []
    const live = isSimulatedOutcome(outcome) ? [] : liveCallSections(outcome)
    for (const section of [...told, ...live])
      if (!section.simulated && section.outcome !== 'aborted')
        sections.increment(
          merchant,
          mode,
          section.system ?? 'none',
          section.name,
          section.code ?? 'ok',
          classifyServedSection(section),
        )
    for (const { system } of outcome.calls ?? []) uses.increment(merchant, mode, system)
  }
}

/** 422 has a code of its own in the log. */
const codeOf = (code: string) => (code in problemTypes || code === 'validation' ? code : 'other')
