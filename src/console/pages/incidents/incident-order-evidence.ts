import type { Incident } from '../../../diagnostics/reports/incidents.ts'
import { listDelayedOrders } from '../../../storage/commerce/operator-order-queries.ts'
import type { Database } from '../../../storage/database.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { isEndKnown, type OrderEvidence } from '../../text/incident-end-text.ts'
import { type IncidentOrderLink, MAX_ORDER_LINKS, readOrderLinks, toOrderPeriod } from './incident-orders.ts'

/** Each needs queries of its own. A list says of the others between which responses they ended. */
const MAX_INCIDENTS = 10

/** Reads what attempts to place orders say about the end of the first of these incidents that have ended, by their ids. */
export async function readOrderEvidence(
  db: Database,
  incidents: readonly Incident[],
  merchants: MerchantDirectory,
): Promise<ReadonlyMap<string, OrderEvidence>> {
  const evidence = new Map<string, OrderEvidence>()
  const ended = incidents.filter((incident) => isCheckoutIncident(incident) && isEndKnown(incident))
  // One after another, because checkouts need the connections too.
  for (const incident of ended.slice(0, MAX_INCIDENTS)) {
    const tenant = { merchant: incident.tenant, mode: incident.mode }
    const orders = await listDelayedOrders(db, tenant, { ...toOrderPeriod(incident), limit: MAX_ORDER_LINKS })
    evidence.set(incident.incidentId, toOrderEvidence(incident, await readOrderLinks(db, orders, merchants)))
  }
  return evidence
}

/** Attempts to place orders tell nothing about the other sections of accounting, such as invoices. */
const isCheckoutIncident = ({ system, section }: Pick<Incident, 'system' | 'section'>) =>
  system === 'accounting' && section === 'checkout'

/** The first order that was placed shows that accounting could place orders; attempts that failed before show that it could not. */
export function toOrderEvidence(
  incident: Pick<Incident, 'system' | 'section'>,
  links: readonly IncidentOrderLink[],
): OrderEvidence {
  if (!isCheckoutIncident(incident)) return { placedAt: null, failedAt: null }
  const placedAt = Math.min(...links.flatMap(({ placedAt: at }) => at ?? []))
  const failedAt = Math.max(...links.flatMap(({ failedAt: at }) => (at !== null && at < placedAt ? [at] : [])))
  return {
    placedAt: Number.isFinite(placedAt) ? placedAt : null,
    failedAt: Number.isFinite(failedAt) ? failedAt : null,
  }
}
