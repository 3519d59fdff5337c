import type { IncidentDetail } from '../../../diagnostics/reports/incident-detail.ts'
import type { Incident } from '../../../diagnostics/reports/incidents.ts'
import { toSectionCircuit } from '../../../diagnostics/section-circuit.ts'
import { isIncidentInactive } from '../../../diagnostics/status/is-incident-inactive.ts'
import { isStoreIncident } from '../../../diagnostics/status/is-store-incident.ts'
import { isKeyIncident } from '../../../diagnostics/status/read-refused-keys.ts'
import { EVERY_MERCHANT } from '../../../storage/diagnostics/open-incidents.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { CALL_PAUSE_HINT, describeCallChange, describePauseCauses } from '../../text/call-pause-text.ts'
import { describeDegradedSection } from '../../text/degraded-section-text.ts'
import { describeErrorCode, type ErrorCodeText, endedKeyText } from '../../text/error-code-text.ts'
import { findRespondedAt } from '../../text/find-responded-at.ts'
import { formatNumber } from '../../text/format-numbers.ts'
import { type DisplayTime, formatLocalTime } from '../../text/format-times.ts'
import { isEndKnown } from '../../text/incident-end-text.ts'
import { describeIncidentStatus, type IncidentTextParts } from '../../text/incident-status-text.ts'
import { describeIncidentTodo } from '../../text/incident-todo-text.ts'
import { describePauseAfterRecovery } from '../../text/pause-after-recovery-text.ts'
import { describeRoute, toShownRoute } from '../../text/route-text.ts'
import { describeSection } from '../../text/section-text.ts'
import { STALE_VALUE_HINT } from '../../text/stale-value-text.ts'
import { chooseTimelineRange } from '../timeline/timeline-ranges.ts'
import { countPaused, findStoreFailure } from './incident-causes-view.ts'
import { type IncidentRowView, toIncidentRowView } from './incident-row-view.ts'

export interface IncidentPageView extends IncidentRowView {
  effect: string
  /** The incident is ongoing, or between which times it ended. */
  statusText: string
  /** `null`: no ongoing failure is known that a person can mend. */
  toDo: string | null
  /** The incident with which `toDo` ends; `null`: none. */
  later: { href: string; text: string } | null
  /** It belongs to the store: no response shows when it last failed. */
  isStore: boolean
  /** Responses that made no call, because the failures before had paused the calls; empty: none. */
  pausedCount: string
  /** The first degraded response, with its date. */
  beganOn: DisplayTime
  /** The duration is that to its end. Otherwise it is that to the last degraded response. */
  isEndKnown: boolean
  /** What older values are; empty: none was shown, or that is unknown. */
  olderValueHint: string
  /** The effect is what shoppers see at this moment. */
  isCurrent: boolean
  codeTexts: (ErrorCodeText & { code: string; count: string })[]
  /** Other sections that the same system degraded at the same time. */
  related: (IncidentRowView & { shared: string })[]
  samples: { href: string; requestId: string; at: DisplayTime; reason: string; route: string; asked: string }[]
  circuitChanges: { at: DisplayTime; text: string; process: string }[]
  /** From when to when the system failed, if a pause of calls outlasted that; empty: none did. */
  pauseAfterRecovery: string
  /** Why more calls failed than responses; empty: calls were not paused. */
  pauseCauses: string
  /** How a pause ends; empty: there was none. */
  callPauseHint: string
  /** `null`: the incident has no timeline of its own. */
  timelineHref: string | null
  circuitHref: string | null
}

const formatNumberOrNothing = (count: number) => (count === 0 ? '' : formatNumber(count))

/** Says whether responses of a related incident count here as well. */
function describeShared({ inSameResponses, sharedResponses }: IncidentDetail, other: Incident): string {
  if (inSameResponses.includes(other.incidentId)) return 'These are the same responses to the same shoppers'
  const count = sharedResponses[other.incidentId] ?? 0
  if (count === 0) return ''
  return `${formatNumber(count)} of these responses ${count === 1 ? 'counts' : 'count'} here as well`
}

const byBegin = (one: Incident, other: Incident) => one.beganAt - other.beganAt

export function toIncidentPageView(
  incident: IncidentDetail,
  circuitHref: string | null,
  merchants: MerchantDirectory,
  now: number,
  { later = null, ...evidence }: Pick<IncidentTextParts, 'orders' | 'orderFailedAt' | 'later'> = {},
): IncidentPageView {
  const row = toIncidentRowView(incident, merchants, now, evidence.orders)
  const toTime = (at: number) => merchants.time(at, incident.tenant)
  const respondedAt = findRespondedAt(incident)
  const texts = { toTime, now, merchantName: row.merchantName, later, respondedAt, ...evidence }
  // The pages of all incidents of an outage show the same time.
  const shown = incident.respondingSince === null ? incident : { ...incident, respondingSince: respondedAt }
  return {
    ...row,
    effect: describeSection(incident.system, incident.section).effect,
    statusText: describeIncidentStatus(shown, texts),
    toDo: describeIncidentTodo(shown, texts),
    later: later && toLaterView(later, merchants, now),
    isStore: isStoreIncident(incident),
    beganOn: merchants.timeWithDate(incident.beganAt, incident.tenant),
    isEndKnown: isEndKnown(incident),
    pausedCount: formatNumberOrNothing(countPaused(incident.codes)),
    isCurrent: incident.endedAt === null && (isKeyIncident(incident) || !isIncidentInactive(incident, now)),
    codeTexts: row.codes.map((entry) => ({
      ...describeErrorCode(entry.code),
      ...(isKeyIncident(incident) && entry.code === 'invalid_api_key' && endedKeyText),
      ...entry,
    })),
    related: incident.related.toSorted(byBegin).map((other) => ({
      ...toIncidentRowView(other, merchants, now),
      shared: describeShared(incident, other),
    })),
    samples: incident.samples.map(({ requestId, at, code, kind, route }) => ({
      href: `/request?${new URLSearchParams({ id: requestId })}`,
      requestId,
      at: toTime(at),
      reason: describeDegradedSection({ code, kind: kind ?? findStoreFailure(incident) }),
      route: toShownRoute(route),
      asked: describeRoute(route),
    })),
    circuitChanges: incident.changes.map((change) => ({
      at: toTime(change.at),
      text: describeCallChange(change, incident.system),
      process: change.process,
    })),
    pauseAfterRecovery: describePauseAfterRecovery(incident, respondedAt, toTime),
    pauseCauses: describePauseCauses(
      incident.changes.filter(({ circuit }) => circuit === toSectionCircuit(incident)),
      incident,
    ),
    callPauseHint: incident.changes.some(({ state }) => state === 'open') ? CALL_PAUSE_HINT : '',
    olderValueHint: row.olderCount === '' ? '' : STALE_VALUE_HINT,
    timelineHref: toTimelineHref(incident, merchants),
    circuitHref,
  }
}

function toLaterView(later: Incident, merchants: MerchantDirectory, now: number) {
  const { href, section, pill } = toIncidentRowView(later, merchants, now)
  return { href, text: `${section} (${pill.text.toLowerCase()})` }
}

/** Links to the timeline with the incident in the middle and its section first. */
function toTimelineHref(
  { tenant, mode, system, section, beganAt, lastAt }: Incident,
  merchants: MerchantDirectory,
): string | null {
  if (tenant === EVERY_MERCHANT) return null
  const durationMs = lastAt - beganAt
  const zone = merchants.timeZone(tenant)
  const at = formatLocalTime(beganAt + durationMs / 2, zone)
  const query = {
    merchant: tenant,
    mode,
    range: chooseTimelineRange(durationMs),
    at,
    zone,
    first: `${system}.${section}`,
  }
  return `/timeline?${new URLSearchParams(query)}`
}
