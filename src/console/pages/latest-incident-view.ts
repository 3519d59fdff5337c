import type { Incident } from '../../diagnostics/reports/incidents.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { describeFailure } from '../text/failure-kind-text.ts'
import { isLastingCause, isStoreIncident } from '../text/incident-status-text.ts'
import { describeSection } from '../text/section-text.ts'

/** The incident that ended last, in a sentence. */
export interface LatestIncidentView {
  text: string
  href: string
}

export function toLatestIncidentView(incident: Incident, merchants: MerchantDirectory): LatestIncidentView {
  const { incidentId, tenant, mode, system, section, lastAt, causes } = incident
  const { name } = describeSection(system, section)
  const of = isStoreIncident(incident) ? '' : ` of ${merchants.name(tenant)} (${mode})`
  const lasting = causes.find(({ kind }) => isLastingCause(kind))
  const cause = lasting ? ` Its cause (${describeFailure(lasting.kind)}) does not go away by itself.` : ''
  return {
    text: `${name}${of}, last ${isStoreIncident(incident) ? 'failed attempt to use it' : 'degraded response'} at ${merchants.time(lastAt, tenant).text}.${cause}`,
    href: `/incidents/${incidentId}`,
  }
}
