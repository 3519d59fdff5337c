import { countOutageShoppers, type Outage } from '../../../diagnostics/reports/outages.ts'
import type { IncidentNoteRow } from '../../../storage/diagnostics/incident-notes.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { formatCount, pluralize } from '../../text/format-numbers.ts'
import type { DisplayTime } from '../../text/format-times.ts'
import type { OrderEvidence } from '../../text/incident-end-text.ts'
import { countAtLeast } from '../../text/incident-impact-text.ts'
import { describeCare } from './incident-care-view.ts'
import { type IncidentRowView, toIncidentRowView } from './incident-row-view.ts'

export interface OutageView {
  /** The heading of its incidents; `null`: there is only one, which needs none. */
  heading: {
    system: string
    merchantName: string
    mode: string
    began: DisplayTime
    ended: DisplayTime | null
    sections: string
    /** Empty: an earlier release wrote the incidents. */
    shoppers: string
  } | null
  incidents: (IncidentRowView & { care: string })[]
}

/** What is known of incidents beside them, by their ids. */
export interface OutageFacts {
  care: ReadonlyMap<string, readonly IncidentNoteRow[]>
  orders: ReadonlyMap<string, OrderEvidence>
  /** The names of incidents of keys. */
  keyNames: ReadonlyMap<string, string>
}

export function toOutageView(
  outage: Outage,
  { care, orders, keyNames }: OutageFacts,
  merchants: MerchantDirectory,
  now: number,
): OutageView {
  const incidents = outage.incidents.map((incident) => ({
    ...toIncidentRowView(incident, merchants, now, orders.get(incident.incidentId)),
    ...(keyNames.has(incident.incidentId) && { section: keyNames.get(incident.incidentId)! }),
    care: describeCare(care.get(incident.incidentId) ?? []),
  }))
  const [first] = incidents
  const heading = {
    system: first!.system,
    merchantName: first!.merchantName,
    mode: first!.mode,
    began: merchants.time(outage.beganAt, outage.incidents[0]!.tenant),
    ended: outage.endedAt === null ? null : merchants.time(outage.endedAt, outage.incidents[0]!.tenant),
    sections: formatCount(incidents.length, 'section'),
    shoppers: describeOutageShoppers(outage),
  }
  return { heading: incidents.length > 1 ? heading : null, incidents }
}

function describeOutageShoppers({ incidents }: Outage): string {
  const [impact] = incidents.flatMap((incident) => incident.impact ?? [])
  if (!impact) return ''
  const count = countOutageShoppers(impact, incidents)
  return `${countAtLeast(count)} ${pluralize(count, 'shopper')}`
}
