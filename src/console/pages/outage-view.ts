import type { IncidentNoteRow } from '../../storage/diagnostics/incident-notes.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { formatCount } from '../text/format-numbers.ts'
import type { DisplayTime } from '../text/format-times.ts'
import { countOutageShoppers, type Outage } from './group-outages.ts'
import { describeCare } from './incident-care-view.ts'
import { type IncidentRowView, toIncidentRowView } from './incident-page-view.ts'

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

export function toOutageView(
  outage: Outage,
  care: ReadonlyMap<string, readonly IncidentNoteRow[]>,
  merchants: MerchantDirectory,
  now: number,
): OutageView {
  const incidents = outage.incidents.map((incident) => ({
    ...toIncidentRowView(incident, merchants, now),
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
  return impact ? formatCount(countOutageShoppers(impact, incidents), 'shopper') : ''
}
