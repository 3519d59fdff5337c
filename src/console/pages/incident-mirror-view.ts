import type { Incident } from '../../diagnostics/reports/incidents.ts'
import { nameSystem } from '../../diagnostics/section-and-system-names.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { toMirrorPath } from '../page-paths.ts'
import { describeFailure } from '../text/failure-kind-text.ts'

/** The catalog mirror from which shoppers got older values. */
export interface IncidentMirrorView {
  text: string
  href: string
}

/** The requests themselves made no call: the failure that they count is that of the reads in the background. */
export function describeFailedRefresh(system: string, causes: Incident['causes']): string {
  const [latest] = causes
  const reason = latest ? ` (${describeFailure(latest.kind)})` : ''
  return `the refresh of the mirror failed. Forecourt keeps the mirror current with reads of ${system} in the background, such as its change feed, and these reads failed${reason}. Other calls to ${system} may have succeeded at that time.`
}

/** Says from which mirror the older values of an incident came, and when they were read; `null`: none came from a mirror. */
export function toIncidentMirrorView(incident: Incident, merchants: MerchantDirectory): IncidentMirrorView | null {
  const { tenant, mode, system, beganAt, impact, causes } = incident
  if (impact?.mirrorAsOf === undefined) return null
  const [read, began] = [impact.mirrorAsOf, beganAt].map((at) => merchants.time(at, tenant).text)
  const name = nameSystem(system)
  return {
    text: `Shoppers got older values from the catalog mirror of ${merchants.name(tenant)} (${mode}): ${describeFailedRefresh(name, causes)} The oldest of these values was read from ${name} at ${read}, and the first shopper got one at ${began}.`,
    href: toMirrorPath({ merchant: tenant, mode }),
  }
}
