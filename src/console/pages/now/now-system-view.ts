import { nameSystem, sectionNoun } from '../../../diagnostics/section-and-system-names.ts'
import type { CurrentStatus, TenantStatus } from '../../../diagnostics/status/current-status.ts'
import type { SystemStatus } from '../../../diagnostics/status/system-status.ts'
import { type CircuitName, toCircuitSystem } from '../../../ports/circuit-name.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { CALL_PAUSE_HINT, describeMissingTrials } from '../../text/call-pause-text.ts'
import { capitalize } from '../../text/capitalize.ts'
import { describeDegradedResponses } from '../../text/degraded-responses-text.ts'
import { formatDuration, formatElapsedMs } from '../../text/format-durations.ts'
import { formatCount, formatNumber, formatPercent } from '../../text/format-numbers.ts'
import type { DisplayTime } from '../../text/format-times.ts'
import { describePartialRecovery } from '../../text/partial-recovery-text.ts'
import { describeRespondingSince, isResponding } from '../../text/responding-again-text.ts'
import { describeSection, describeSystemEffect } from '../../text/section-text.ts'
import { describeStaleCount } from '../../text/stale-value-text.ts'
import type { WhomToCall } from '../../whom-to-call.ts'
import { describeCare } from '../incidents/incident-care-view.ts'
import { type StatusPill, toSystemPill } from '../status-pill.ts'

export interface NowSystemView {
  /** Its id. */
  system: string
  name: string
  pill: StatusPill
  /** An operator stopped or forced its calls. */
  hold: { by: string; until: DisplayTime } | null
  calls: string
  errors: string
  p50: string
  p99: string
  /** The age of the oldest last-good value that was served instead of a response of this system. */
  staleAge: string
  impactSentences: string[]
  /** How the pause of its calls ends; empty: they are not paused. It stays while calls are tried, up to once a second. */
  callPauseHint: string
  /** The sentences say what shoppers see at this moment. */
  isCurrent: boolean
  /** Planned maintenance is the only reason. */
  isPlanned: boolean
  incidents: NowIncidentView[]
  whom: WhomToCall
  /** `null`: the system has no circuit. */
  circuitHref: string | null
}

interface NowIncidentView {
  href: string
  name: string
  since: DisplayTime
  degradedCount: string
  olderCount: string
  /** What shoppers saw, with counts; empty: unknown. */
  seen: string
  /** Who looks after it or has seen it; empty: nobody. */
  care: string
}

const NO_VALUE = '–'

/** A system of a merchant, with what shoppers miss because of it. */
export function toNowSystemView(
  status: SystemStatus,
  { merchant }: TenantStatus,
  care: CurrentStatus['care'],
  merchants: MerchantDirectory,
): Omit<NowSystemView, 'circuitHref' | 'whom'> {
  const { system, held, impactText, lastGoodAgeMs, errorRate } = status
  const formatLatency = (ms: number | null) => (ms === null ? NO_VALUE : formatElapsedMs(ms))
  return {
    system,
    name: nameSystem(system),
    pill: toSystemPill(status),
    hold: held && { by: held.by, until: merchants.time(held.untilMs, merchant) },
    calls: formatNumber(status.calls),
    errors: errorRate === null ? NO_VALUE : formatPercent(errorRate),
    p50: formatLatency(status.p50Ms),
    p99: formatLatency(status.p99Ms),
    staleAge: lastGoodAgeMs === null ? 'none' : `${formatDuration(lastGoodAgeMs)} old`,
    impactSentences: [
      ...toMaintenanceSentences(status, merchant, merchants),
      ...impactText,
      ...toInactiveSentences(status, merchant, merchants),
    ],
    callPauseHint: held === null && status.state !== 'closed' ? toCallPauseHint(status) : '',
    isCurrent: impactText.length > 0 || held?.isMaintenance === true,
    isPlanned: held?.isMaintenance === true && status.incidents.length === 0,
    incidents: status.incidents.map(({ incidentId, section, beganAt, answers, olderValues, impact }) => ({
      href: `/incidents/${incidentId}`,
      name: describeSection(system, section).name,
      since: merchants.time(beganAt, merchant),
      degradedCount: formatCount(answers, 'degraded response'),
      olderCount: describeStaleCount(answers, olderValues),
      seen: impact
        ? describeDegradedResponses(impact.seen, { system, section, oldestMs: impact.oldestMs }).join(', ')
        : '',
      care: describeCare(care.get(incidentId) ?? []),
    })),
  }
}

/** A paused system that was not called at all may work again. */
const toCallPauseHint = ({ system, calls }: SystemStatus) =>
  calls > 0 ? CALL_PAUSE_HINT : `${CALL_PAUSE_HINT} ${describeMissingTrials(nameSystem(system))}`

/** Says what shoppers lack as planned, and until when. */
function toMaintenanceSentences(
  { system, held }: SystemStatus,
  merchant: string,
  merchants: MerchantDirectory,
): string[] {
  // The searches of the inventory are under maintenance with it.
  if (!held?.isMaintenance || toCircuitSystem(system as CircuitName) !== system) return []
  const { text } = merchants.time(held.untilMs, merchant)
  return [`Planned maintenance until ${text}: no calls are made, and nobody is alerted.`, describeSystemEffect(system)]
}

const listFormat = new Intl.ListFormat('en')

/** Says since when sections were not degraded, though nothing shows that they work again: those of one time in one sentence. */
function toInactiveSentences(
  { system, incidents }: SystemStatus,
  merchant: string,
  merchants: MerchantDirectory,
): string[] {
  const inactiveIncidents = incidents.filter(({ isInactive }) => isInactive)
  const incidentsByNoun = Map.groupBy(inactiveIncidents, ({ section }) => sectionNoun(section))
  const last = [...incidentsByNoun].map(([noun, group]) => ({
    noun,
    text: merchants.time(Math.max(...group.map(({ lastAt }) => lastAt)), merchant).text,
    evidence: toRecoverySentence(group, merchant, merchants),
  }))
  const sentences = [...Map.groupBy(last, ({ text, evidence }) => `no degraded response since ${text}${evidence}`)].map(
    ([sentence, sections]) => `${capitalize(listFormat.format(sections.map(({ noun }) => noun)))}: ${sentence}`,
  )
  if (inactiveIncidents.length === 0 || !inactiveIncidents.every(isResponding)) return sentences
  const since = Math.max(...inactiveIncidents.map(({ respondingSince }) => respondingSince))
  const responding = capitalize(describeRespondingSince(system, merchants.time(since, merchant).text))
  return [...sentences, `${responding}. That these parts work again is confirmed by the next request for them.`]
}

/** Says that a part works for a process, or that nobody has requested it. */
function toRecoverySentence(
  incidents: SystemStatus['incidents'],
  merchant: string,
  merchants: MerchantDirectory,
): string {
  const times = incidents.flatMap(({ lastAt, recoveredAt }) =>
    recoveredAt !== null && recoveredAt > lastAt ? recoveredAt : [],
  )
  return times.length === 0
    ? ', and no requests since then.'
    : `. ${describePartialRecovery(merchants.time(Math.max(...times), merchant).text)}`
}
