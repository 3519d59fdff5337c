import type { NotificationChannel } from '../../config/notification-channel.ts'
import { EVERY_MERCHANT, type OpenIncident } from '../../storage/diagnostics/open-incidents.ts'

/** What one channel is told about one system: it is one outage for all merchants and sections. */
export interface OngoingOutage {
  /** `store`: the store of Forecourt. */
  system: string
  beganAt: number
  merchants: { merchant: string; sections: string[] }[]
  /** An incident to link to: the first. */
  incidentId: string
}

/** Only so many are named in a message. */
const MAX_MERCHANTS = 20

/** Groups the open incidents that concern a channel by system. Sandboxes and refused keys are no outages. */
export function toOngoingOutages(
  channel: Pick<NotificationChannel, 'merchants' | 'systems'>,
  incidents: readonly OpenIncident[],
): OngoingOutage[] {
  const relevant = incidents.filter((incident) => {
    const system = toNoticeSystem(incident)
    if (system === null || incident.mode !== 'live') return false
    if (channel.systems && !channel.systems.includes(system)) return false
    return !channel.merchants || incident.tenant_id === EVERY_MERCHANT || channel.merchants.includes(incident.tenant_id)
  })
  return [...Map.groupBy(relevant, (incident) => toNoticeSystem(incident)!)].map(([system, group]) => {
    const sorted = group.toSorted((one, other) => (one.began_at < other.began_at ? -1 : 1))
    const byMerchant = [...Map.groupBy(sorted, ({ tenant_id }) => tenant_id)].slice(0, MAX_MERCHANTS)
    return {
      system,
      beganAt: Date.parse(sorted[0]!.began_at),
      merchants: byMerchant.map(([merchant, rows]) => ({ merchant, sections: rows.map(({ section }) => section) })),
      incidentId: sorted[0]!.incident_id,
    }
  })
}

function toNoticeSystem({ system, tenant_id, section }: OpenIncident): string | null {
  if (system !== '') return system
  return tenant_id === EVERY_MERCHANT && section === 'store' ? 'store' : null
}
