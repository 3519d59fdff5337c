import type { CircuitChange } from '../../diagnostics/reports/incident-detail.ts'
import type { Incident } from '../../diagnostics/reports/incidents.ts'
import { formatNumber } from './format-numbers.ts'
import { mergeTimeoutCauses } from './merge-timeout-causes.ts'

/** What the states of a circuit mean for the calls to its system. The page of the calls explains the term. */
export const callPauseTexts = {
  open: 'Calls paused',
  'half-open': 'Trying calls again',
  held_open: 'Calls stopped',
  held_closed: 'Calls forced',
} as const

/** The circuit stays open for a second at first, and up to three. */
export const CALL_PAUSE_HINT =
  'While calls are paused, a single call is made now and then as a trial: the next one that a request, a waiting order or a read in the background needs. After a failed trial, the next follows a second or more later. Other requests make no call, so they say nothing of whether the system works. After two successful trials in a row, calls are made again.'

const changeTexts: Readonly<Record<CircuitChange['state'], (by: string) => string>> = {
  open: () => 'paused: the system failed too often',
  closed: () => 'resumed: calls are made again',
  held_open: (by) => `stopped by ${by}: no calls are made`,
  held_closed: (by) => `forced by ${by}: calls are made even if they fail`,
  released: (by) =>
    by ? `released by ${by}: Forecourt decides again` : 'released: the time that the operator chose has ended',
}

/** Says how a change of a circuit affects the calls to its system, and which failures caused it. */
export function describeCallChange({ circuit, state, by, causes }: CircuitChange, system: string): string {
  const text = causes.length > 0 ? describePause(causes) : changeTexts[state](by ?? '')
  return circuit === system ? text : `searches ${text}`
}

function countCauses(causes: CircuitChange['causes']): string {
  const count = (isEarlier: boolean) =>
    mergeTimeoutCauses(causes.filter((cause) => (cause.isEarlier === true) === isEarlier))
      .map((cause) => `${formatNumber(cause.count)} × ${cause.kind}`)
      .join(', ')
  return [count(false), count(true)].filter((text) => text !== '').join(', and some seconds before that ')
}

const describePause = (causes: CircuitChange['causes']) =>
  `paused after ${countCauses(causes)}, calls in the background included`

/**
 * Says why more calls failed than responses: names the failures of the pauses during which the section was degraded. Empty: calls were not paused
 * then, or the failures are not known.
 */
export function describePauseCauses(changes: readonly CircuitChange[], degraded: DegradedPeriod): string {
  const pauses = changes.filter((change) => change.causes.length > 0 && isPausedDuring(change, changes, degraded))
  const causes = [...new Set(pauses.map((pause) => countCauses(pause.causes)))]
  return causes.length === 0
    ? ''
    : `The table counts responses of this section. Calls were paused after ${causes.join(', and after ')}: that counts calls, also those of other sections and in the background.`
}

type DegradedPeriod = Pick<Incident, 'beganAt' | 'lastAt'>

function isPausedDuring(pause: CircuitChange, changes: readonly CircuitChange[], { beganAt, lastAt }: DegradedPeriod) {
  if (pause.state !== 'open' || pause.at > lastAt) return false
  const isEnd = ({ state, circuit, process, at }: CircuitChange) =>
    state === 'closed' && circuit === pause.circuit && process === pause.process && at >= pause.at
  const end = changes.find(isEnd)
  return end === undefined || end.at >= beganAt
}

/** Says that nothing is known of a system while its calls are paused and no trial was made. */
export const describeMissingTrials = (system: string): string =>
  `No call to ${system} was made in the last minute, not even a trial, so whether it works again is not known.`
