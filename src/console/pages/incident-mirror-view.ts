import type { Incident } from '../../diagnostics/reports/incidents.ts'
import { nameSystem } from '../../diagnostics/section-and-system-names.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { toMirrorPath } from '../page-paths.ts'

/** The catalog mirror from which shoppers got older values. */
export interface IncidentMirrorView {
  text: string
  href: string
}

/** Says from which mirror the older values of an incident came, and when they were read; `null`: none came from a mirror. */
export function toIncidentMirrorView(incident: Incident, merchants: MerchantDirectory): IncidentMirrorView | null {
  const { tenant, mode, system, beganAt, impact } = incident
  if (impact?.mirrorAsOf === undefined) return null
  const [read, began] = [impact.mirrorAsOf, beganAt].map((at) => merchants.time(at, tenant).text)
  const name = nameSystem(system)
  return {
    text: `Shoppers got older values from the catalog mirror of ${merchants.name(tenant)} (${mode}): it could not be compared with ${name} any more. The oldest of these values was read from ${name} at ${read}, and the first shopper got one at ${began}.`,
    href: toMirrorPath({ merchant: tenant, mode }),
  }
}
