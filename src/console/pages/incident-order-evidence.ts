import type { Incident } from '../../diagnostics/reports/incidents.ts'
import type { OrderEvidence } from '../text/incident-status-text.ts'
import type { IncidentOrderLink } from './incident-order-links.ts'

/**
 * The first order that was placed shows that accounting could place orders; attempts that failed before show that it could not. Neither tells about
 * its other sections, such as invoices.
 */
export function toOrderEvidence(
  { system, section }: Pick<Incident, 'system' | 'section'>,
  links: readonly IncidentOrderLink[],
): OrderEvidence {
  if (system !== 'accounting' || section !== 'checkout') return { placedAt: null, failedAt: null }
  const placedAt = Math.min(...links.flatMap(({ placedAt: at }) => at ?? []))
  const failedAt = Math.max(...links.flatMap(({ failedAt: at }) => (at !== null && at < placedAt ? [at] : [])))
  return {
    placedAt: Number.isFinite(placedAt) ? placedAt : null,
    failedAt: Number.isFinite(failedAt) ? failedAt : null,
  }
}
