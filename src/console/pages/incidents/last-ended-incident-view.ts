import { nameSystem } from '../../../diagnostics/section-and-system-names.ts'
import { isStoreIncident } from '../../../diagnostics/status/is-store-incident.ts'
import type { EndedIncident } from '../../../storage/diagnostics/incident-queries.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { describeFailure } from '../../text/failure-kind-text.ts'
import { isLastingCause } from '../../text/incident-todo-text.ts'
import { describeSection } from '../../text/section-text.ts'

/** The incident that ended last, in a sentence. */
export interface LastEndedIncidentView {
  text: string
  href: string
}

export function toLastEndedIncidentView(incident: EndedIncident, merchants: MerchantDirectory): LastEndedIncidentView {
  const { incident_id, tenant_id, mode, system, section, last_at } = incident
  const kinds = Object.keys(JSON.parse(incident.causes ?? '{}') as object)
  const { name } = describeSection(system, section)
  const of = isStoreIncident(incident) ? '' : ` (${nameSystem(system)}) of ${merchants.name(tenant_id)} (${mode})`
  const lasting = kinds.find(isLastingCause)
  const cause = lasting ? ` Its cause (${describeFailure(lasting)}) does not go away by itself.` : ''
  return {
    text: `${name}${of}, last ${isStoreIncident(incident) ? 'failed attempt to use it' : 'degraded response'} at ${merchants.time(last_at, tenant_id).text}.${cause}`,
    href: `/incidents/${incident_id}`,
  }
}
