import { toLatestFailure } from '../../../changes/mirror/read-store-catalog-state.ts'
import type { Incident } from '../../../diagnostics/reports/incidents.ts'
import { nameSystem } from '../../../diagnostics/section-and-system-names.ts'
import { listCatalogParts } from '../../../storage/catalog/catalog-part-states.ts'
import type { Database } from '../../../storage/database.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toMirrorPath } from '../../page-paths.ts'
import { describeFailure } from '../../text/failure-kind-text.ts'
import { partSystems } from '../mirrors/mirror-warnings.ts'
import { isFailingDuring } from './mirror-failures-view.ts'

/** The catalog mirror from which shoppers got older values. */
export interface IncidentMirrorView {
  text: string
  href: string
}

/** Describes the failure of the background reads, which is the cause that the incident counts: the requests themselves made no call. */
export function describeFailedRefresh(system: string, causes: Incident['causes']): string {
  const [latest] = causes
  const reason = latest ? ` (${describeFailure(latest.kind)})` : ''
  return `the refresh of the mirror failed. Forecourt keeps the mirror current with reads of ${system} in the background, such as its change feed, and these reads failed${reason}. Other calls to ${system} may have succeeded at that time.`
}

/** Describes the mirror that the older values of an incident came from; `null` if they came from none. */
export async function readIncidentMirror(
  db: Database,
  incident: Incident,
  merchants: MerchantDirectory,
): Promise<IncidentMirrorView | null> {
  const { tenant, mode, system, beganAt, impact, causes } = incident
  if (impact?.mirrorAsOf === undefined) return null
  const period = await describeFailedReads(db, incident, merchants)
  const [read, began] = [impact.mirrorAsOf, beganAt].map((at) => merchants.time(at, tenant).text)
  const name = nameSystem(system)
  return {
    text: `Shoppers got older values from the catalog mirror of ${merchants.name(tenant)} (${mode}): ${describeFailedRefresh(name, causes)} The oldest of these values was read from ${name} at ${read}, and the first shopper got one at ${began}.${period}`,
    href: toMirrorPath({ merchant: tenant, mode }),
  }
}

/** Describes since when these reads failed, and whether they succeed again. Only the latest failure of each part is stored. */
async function describeFailedReads(
  db: Database,
  { tenant, mode, system, lastAt, impact }: Incident,
  merchants: MerchantDirectory,
): Promise<string> {
  const during = { from: impact!.mirrorAsOf!, to: lastAt }
  const failed = (await listCatalogParts(db, { merchant: tenant, mode }))
    .filter(({ name }) => partSystems[name] === system)
    .flatMap(toLatestFailure)
    .filter((failure) => isFailingDuring(failure, during))
  if (failed.length === 0) return ''
  const toTime = (ms: number) => merchants.time(ms, tenant).text
  const from = toTime(Math.min(...failed.map(({ fromMs }) => fromMs)))
  const ends = failed.map(({ untilMs }) => untilMs)
  if (ends.includes(null)) return ` These reads have failed since ${from}, and still fail.`
  return ` These reads failed from ${from} to ${toTime(Math.max(...ends.map(Number)))}, and have succeeded since.`
}
