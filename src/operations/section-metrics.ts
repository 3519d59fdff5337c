import type { Registry } from 'prom-client'
import type { FinishedRequest } from '../diagnostics/finished-request.ts'
import { healthyLiveCallSections } from '../diagnostics/healthy-live-call-sections.ts'
import { isSimulatedRequest } from '../diagnostics/request-record-kind.ts'
import { classifyServedSection } from './classify-outcome.ts'
import { createLabelledCounter } from './labelled-counter.ts'
import type { MerchantLabel } from './merchant-label.ts'

/** Registers the metrics of a request's sections and the upstream calls that it waited for. A cached read has none of them. */
export function createSectionMetrics(
  registry: Registry,
  merchantOf: MerchantLabel,
): (request: FinishedRequest) => void {
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

  return (request) => {
    const { tenant, mode } = request
    if (!request.sections && !request.calls) return
    const merchant = merchantOf(tenant)
    const traced = request.sections ?? []
    const liveCalls = isSimulatedRequest(request) ? [] : healthyLiveCallSections(request)
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
