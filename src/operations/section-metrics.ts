import type { Registry } from 'prom-client'
import type { FinishedRequest } from '../diagnostics/finished-request.ts'
import { liveCallSections } from '../diagnostics/healthy-live-call-sections.ts'
import { isSimulatedRequest } from '../diagnostics/record-rules.ts'
import { problemTypes } from '../errors.ts'
import { modes } from '../tenant.ts'
import { classifyServedSection } from './classify-outcome.ts'
import { createLabelledCounter } from './labelled-counter.ts'
import type { MerchantLabel } from './merchant-label.ts'

/** Registers the metrics of a request's problem, its sections and the upstream calls that it waited for. A cached read has none of them. */
export function createSectionMetrics(
  registry: Registry,
  merchantOf: MerchantLabel,
  merchants: readonly string[],
): (request: FinishedRequest) => void {
  const problems = createLabelledCounter(registry, {
    name: 'forecourt_problems_total',
    help: 'Error responses, by merchant, mode and problem code',
    labels: ['merchant', 'mode', 'code'],
  })
  const sections = createLabelledCounter(registry, {
    name: 'forecourt_sections_total',
    help: 'Sections of newly assembled responses, by merchant, mode, system, section, code (ok: no error) and what was served (fresh, last_good, part or missing)',
    labels: ['merchant', 'mode', 'system', 'section', 'code', 'served'],
  })
  const uses = createLabelledCounter(registry, {
    name: 'forecourt_upstream_uses_total',
    help: 'Upstream calls that requests waited for; divide by forecourt_upstream_calls_total to get the number of requests per call',
    labels: ['merchant', 'mode', 'system'],
  })
  const checkouts = createLabelledCounter(registry, {
    name: 'forecourt_checkouts_total',
    help: 'Checkouts, by merchant, mode, status and problem code (none: no problem)',
    labels: ['merchant', 'mode', 'status', 'code'],
  })

  // An alert on the rise of a series would miss the error that creates it.
  for (const merchant of [...merchants, 'none'])
    for (const mode of modes) problems.series(merchant, mode, 'internal_error')

  return (request) => {
    const { tenant, mode, route, status, code } = request
    if (code === undefined && route !== 'checkout' && !request.sections && !request.calls) return
    const merchant = merchantOf(tenant)
    if (code !== undefined) problems.increment(merchant, mode, toCodeLabel(code))
    if (route === 'checkout')
      checkouts.increment(merchant, mode, String(status), code === undefined ? 'none' : toCodeLabel(code))
    const traced = request.sections ?? []
    const liveCalls = isSimulatedRequest(request) ? [] : liveCallSections(request)
    for (const section of [...traced, ...liveCalls])
      if (!section.simulated && section.outcome !== 'aborted')
        sections.increment(
          merchant,
          mode,
          section.system ?? 'none',
          section.name,
          section.code ?? 'ok',
          classifyServedSection(section),
        )
    for (const { system } of request.calls ?? []) uses.increment(merchant, mode, system)
  }
}

/** `validation` is the code of 422 in the log, and no problem type. */
const toCodeLabel = (code: string) => (code in problemTypes || code === 'validation' ? code : 'other')
