import type { Registry } from 'prom-client'
import type { Mode } from '../config/config.ts'
import { isSimulated } from '../diagnostics/outcome-rules.ts'
import { liveSections } from '../diagnostics/live-call-sections.ts'
import type { Outcome } from '../diagnostics/request-outcome.ts'
import { problems } from '../errors.ts'
import { createCounts } from './labelled-counter.ts'
import { servedOf } from './classify-outcome.ts'
import type { MerchantLabel } from './merchant-label.ts'

const modes: readonly Mode[] = ['live', 'sandbox']

/** What is counted of a request beyond its answer: its problem, its sections, the calls it leant on. A read from the cache has none of them. */
export function createSectionMetrics(
  registry: Registry,
  merchantOf: MerchantLabel,
  merchants: readonly string[],
): (outcome: Outcome) => void {
  const problem = createCounts(registry, {
    name: 'forecourt_problems_total',
    help: 'Problems answered, by merchant, mode and code; rate_limited are the rate limits met',
    labels: ['merchant', 'mode', 'code'],
  })
  const sections = createCounts(registry, {
    name: 'forecourt_sections_total',
    help: 'Sections of answers, by merchant, mode, system, section, code (ok when it was well) and what was served',
    labels: ['merchant', 'mode', 'system', 'section', 'code', 'served'],
  })
  const uses = createCounts(registry, {
    name: 'forecourt_upstream_uses_total',
    help: 'Upstream calls that requests waited for: over forecourt_upstream_calls_total, how many share one',
    labels: ['merchant', 'mode', 'system'],
  })
  const checkouts = createCounts(registry, {
    name: 'forecourt_checkouts_total',
    help: 'Checkouts, by merchant, mode, status and problem code',
    labels: ['merchant', 'mode', 'status', 'code'],
  })

  // A series that is born with its first error has not risen, and an alert on its rise would miss that one.
  for (const merchant of [...merchants, 'none']) for (const mode of modes) problem.of(merchant, mode, 'internal_error')

  return (outcome) => {
    const { tenant, mode, route, status, code } = outcome
    if (code === undefined && route !== 'checkout' && !outcome.sections && !outcome.calls) return
    const merchant = merchantOf(tenant)
    if (code !== undefined) problem.add(merchant, mode, codeOf(code))
    if (route === 'checkout') checkouts.add(merchant, mode, String(status), code === undefined ? 'none' : codeOf(code))
    const told = outcome.sections ?? []
    const live = isSimulated(outcome) ? [] : liveSections(outcome)
    for (const section of [...told, ...live])
      if (!section.simulated && section.outcome !== 'aborted')
        sections.add(merchant, mode, section.system ?? 'none', section.name, section.code ?? 'ok', servedOf(section))
    for (const { system } of outcome.calls ?? []) uses.add(merchant, mode, system)
  }
}

/** 422 has a code of its own in the log. */
const codeOf = (code: string) => (code in problems || code === 'validation' ? code : 'other')
