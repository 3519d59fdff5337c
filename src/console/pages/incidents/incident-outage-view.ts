import type { IncidentDetail } from '../../../diagnostics/reports/incident-detail.ts'
import type { Incident } from '../../../diagnostics/reports/incidents.ts'
import { countOutageResponses, type OutageResponses } from '../../../diagnostics/reports/outage-responses.ts'
import { countOutageShoppers } from '../../../diagnostics/reports/outages.ts'
import { nameSystem } from '../../../diagnostics/section-and-system-names.ts'
import type { Database } from '../../../storage/database.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { countPages } from '../../text/degraded-responses-text.ts'
import { findRespondedAt } from '../../text/find-responded-at.ts'
import { formatCount, formatNumber } from '../../text/format-numbers.ts'
import type { DisplayTime } from '../../text/format-times.ts'
import { isEndKnown } from '../../text/incident-end-text.ts'
import { countAtLeast } from '../../text/incident-impact-text.ts'
import { type IncidentRowView, toIncidentRowView } from './incident-row-view.ts'

/** An outage with all its sections. The pages of all its incidents show the same. */
export interface IncidentOutageView {
  system: string
  began: DisplayTime
  /** The time of the last degraded response of any section. */
  lastDegraded: DisplayTime
  /** When the system was first seen to respond after `lastDegraded`, or `null`. */
  responded: DisplayTime | null
  /** For each section, whether a request has shown that it works. */
  confirmations: string[]
  responses: string
  /** The requests with these responses, by operation: `6 product pages, 2 of them refused with an error`. */
  pages: string[]
  shoppers: string
}

/** Reads all sections of an incident's outage. Returns `null` if only one section was degraded. */
export async function readIncidentOutage(
  db: Database,
  incident: IncidentDetail,
  merchants: MerchantDirectory,
  now: number,
): Promise<IncidentOutageView | null> {
  if (incident.related.length === 0) return null
  const incidents = [incident, ...incident.related].toSorted((one, other) => one.beganAt - other.beganAt)
  const toTime = (at: number) => merchants.time(at, incident.tenant)
  const counts = await countOutageResponses(db, incidents)
  const respondedAt = findRespondedAt(incident)
  return {
    system: nameSystem(incident.system),
    began: toTime(incidents[0]!.beganAt),
    lastDegraded: toTime(Math.max(...incidents.map(({ lastAt }) => lastAt))),
    responded: respondedAt === null ? null : toTime(respondedAt),
    confirmations: incidents.map((one) =>
      describeConfirmation(one, toIncidentRowView(one, merchants, now), (at) => toTime(at).text),
    ),
    responses: describeResponses(counts),
    pages: Object.entries(counts.byRoute).map(([route, { least, most, refused }]) =>
      least === most
        ? `${countPages(most, route)}${describeRefused(most, refused)}`
        : `${formatNumber(least)} to ${countPages(most, route)}`,
    ),
    shoppers: incident.impact === null ? '' : countAtLeast(countOutageShoppers(incident.impact, incident.related)),
  }
}

/** Says whether a request has shown that a section works. */
function describeConfirmation(
  incident: Incident,
  { section, pill }: IncidentRowView,
  toTime: (at: number) => string,
): string {
  if (isEndKnown(incident)) return `${section}: next good response at ${toTime(incident.recoveredAt!)}`
  return `${section}: ${incident.endedAt === null ? pill.text.toLowerCase() : 'not confirmed, because nobody has requested it since'}`
}

function describeResponses({ least, most }: OutageResponses): string {
  if (least === most) return `${formatCount(most, 'degraded response')}, each counted once`
  return `${formatNumber(least)} to ${formatCount(most, 'degraded response')}: a response that lacked several sections may count more than once`
}

function describeRefused(count: number, refused: number | null): string {
  if (refused === null || refused === 0) return ''
  return refused === count ? ', refused with an error' : `, ${formatNumber(refused)} of them refused with an error`
}
