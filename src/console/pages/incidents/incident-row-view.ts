import type { Incident } from '../../../diagnostics/reports/incidents.ts'
import { nameSystem } from '../../../diagnostics/section-and-system-names.ts'
import { isIncidentInactive } from '../../../diagnostics/status/is-incident-inactive.ts'
import { isKeyIncident } from '../../../diagnostics/status/read-refused-keys.ts'
import { EVERY_MERCHANT } from '../../../storage/diagnostics/open-incidents.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { describeErrorCode } from '../../text/error-code-text.ts'
import { formatDuration } from '../../text/format-durations.ts'
import { formatNumber } from '../../text/format-numbers.ts'
import type { DisplayTime } from '../../text/format-times.ts'
import { findIncidentEnd, isEndKnown, type OrderEvidence } from '../../text/incident-end-text.ts'
import { isPartlyRecovered, NOT_CONFIRMED } from '../../text/partial-recovery-text.ts'
import { isResponding, RESPONDS_AGAIN } from '../../text/responding-again-text.ts'
import { describeSection } from '../../text/section-text.ts'
import { describeStaleCount } from '../../text/stale-value-text.ts'
import type { StatusPill } from '../status-pill.ts'
import { type FailureCauseView, toCauseViews } from './incident-causes-view.ts'

export interface IncidentRowView {
  href: string
  id: string
  merchantName: string
  mode: string
  system: string
  section: string
  pill: StatusPill
  began: DisplayTime
  lastDegraded: DisplayTime
  /** How long it lasted, at least and at most. */
  duration: string
  degradedCount: string
  /** How many of these had an older value; empty: unknown. */
  olderCount: string
  /** How the system failed, the most frequent kind first. */
  causes: FailureCauseView[]
  codes: { code: string; name: string; count: string }[]
}

export function toIncidentRowView(
  incident: Incident,
  merchants: MerchantDirectory,
  now: number,
  orders?: OrderEvidence,
): IncidentRowView {
  const { incidentId, tenant, mode, system, section, beganAt, lastAt } = incident
  return {
    href: `/incidents/${incidentId}`,
    id: incidentId,
    merchantName: merchants.name(tenant),
    mode: tenant === EVERY_MERCHANT ? 'live and sandbox' : mode,
    system: nameSystem(system),
    section: describeSection(system, section).name,
    pill: toIncidentPill(incident, now),
    began: merchants.time(beganAt, tenant),
    lastDegraded: merchants.time(lastAt, tenant),
    duration: describeDuration(incident, orders),
    degradedCount: formatNumber(incident.answers),
    olderCount: describeStaleCount(incident.answers, incident.impact?.stale ?? null),
    causes: toCauseViews(incident),
    codes: sortCausesFirst(incident.codes).map(({ code, count }) => ({
      code,
      name: describeErrorCode(code).name,
      count: formatNumber(count),
    })),
  }
}

/** Sorts an open circuit last, because it is the consequence of the other failures. */
const sortCausesFirst = (codes: Incident['codes']) =>
  codes.toSorted((one, other) => Number(one.code === 'circuit_open') - Number(other.code === 'circuit_open'))

function describeDuration(incident: Incident, orders?: OrderEvidence): string {
  const { beganAt, lastAt, endedAt, recoveredAt } = incident
  if (!isEndKnown(incident)) return formatIncidentDuration((endedAt ?? lastAt) - beganAt)
  const bounds = findIncidentEnd({ ...incident, recoveredAt: recoveredAt! }, orders)
  const [shortestMs, longestMs] = bounds.map(({ at }) => at - beganAt) as [number, number]
  const [shortest, longest] = [shortestMs, longestMs].map(formatIncidentDuration)
  if (longest === shortest) return longest!
  return shortestMs < MIN_DURATION_MS ? `at most ${longest}` : `between ${shortest} and ${longest}`
}

/** An incident of a single response has no duration. */
const formatIncidentDuration = (ms: number) => (ms < MIN_DURATION_MS ? 'under 1 s' : formatDuration(ms))

const MIN_DURATION_MS = 1_000

function toIncidentPill(incident: Incident, now: number): StatusPill {
  if (isKeyIncident(incident))
    return incident.endedAt === null
      ? { tone: 'failing', text: 'Still refused' }
      : { tone: 'warning', text: 'No longer used' }
  if (incident.endedAt !== null) return { tone: 'well', text: 'Ended' }
  if (!isIncidentInactive(incident, now)) return { tone: 'failing', text: 'Ongoing' }
  if (isPartlyRecovered(incident, now)) return { tone: 'warning', text: NOT_CONFIRMED }
  return { tone: 'warning', text: isResponding(incident) ? RESPONDS_AGAIN : 'No new requests' }
}
