import type { Incident } from '../../diagnostics/reports/incidents.ts'
import { nameSystem } from '../../diagnostics/section-and-system-names.ts'
import { toSectionCircuit } from '../../diagnostics/section-circuit.ts'
import { isIncidentInactive } from '../../diagnostics/status/is-incident-inactive.ts'
import { isStoreIncident } from '../../diagnostics/status/is-store-incident.ts'
import { capitalize } from './capitalize.ts'
import { describeFailure } from './failure-kind-text.ts'
import { findWorkedAt } from './incident-end-text.ts'
import type { IncidentTextParts } from './incident-status-text.ts'
import { describeLaterFailure } from './later-failure-text.ts'
import { mergeTimeoutCauses } from './merge-timeout-causes.ts'
import { describePartialRecovery, isPartlyRecovered } from './partial-recovery-text.ts'
import { describeConfirmation, isResponding } from './responding-again-text.ts'
import { STORE_NAME } from './store-outage-text.ts'

/** Matches causes that return unless somebody has fixed them. */
const LASTING_CAUSE = /^(TLS certificate|login refused|wrong setting|the disk is full)/

export const isLastingCause = (kind: string): boolean => LASTING_CAUSE.test(kind)

/** Says what to change in the configuration of Forecourt after the system has been fixed; empty: nothing. */
function describeForecourtTask(kind: string): string {
  if (/^login refused/.test(kind))
    return ' If the key or the password has changed, whoever runs Forecourt puts the new one into the configuration of Forecourt, and restarts Forecourt.'
  if (/^name not found/.test(kind))
    return ' Only if the name has changed, whoever runs Forecourt changes the address in the configuration of Forecourt, and restarts Forecourt.'
  return ''
}

/** Says what somebody who is no engineer does about an incident; `null`: no failure of a system is known. */
export function describeIncidentTodo(
  incident: Incident,
  { toTime, merchantName, now, orders, orderFailedAt = null, later = null, respondedAt = null }: IncidentTextParts,
): string | null {
  const { system, section, causes, beganAt, endedAt } = incident
  if (causes.length === 0) return null
  // While it is open, a good response shows only that one process reaches the system.
  const workedAt = endedAt === null && (orders?.placedAt ?? null) === null ? null : findWorkedAt(incident, orders)
  const isStore = isStoreIncident({ system, section })
  const runner =
    isStore || system === '' ? 'whoever runs Forecourt' : `whoever runs ${nameSystem(system)} of ${merchantName}`
  const latest = isStore ? '' : ' at the latest'
  const forecourt = causes.map(({ kind }) => describeForecourtTask(kind)).find((task) => task !== '') ?? ''
  const name = isStore ? STORE_NAME : nameSystem(toSectionCircuit({ system, section }))
  const ask = `Within a day, ask ${runner} whether the cause below was removed. If it was not, the failure can return.`
  const lasting = causes.find(({ kind }) => isLastingCause(kind))
  const askWhatChanged = lasting
    ? `this cause (${describeFailure(lasting.kind)}) does not go away by itself: ask ${runner} what they changed, and whether it is enough.`
    : ''
  // Other calls may succeed while orders cannot be placed.
  const responded = (orders?.failedAt ?? 0) > incident.lastAt ? null : respondedAt
  if (later !== null)
    return describeLaterFailure(incident, later, {
      ...{ toTime, now, workedAt: workedAt === null ? null : Math.min(workedAt, responded ?? workedAt) },
      name: isStore ? STORE_NAME : nameSystem(system),
      advice: `${lasting ? capitalize(askWhatChanged) : ask}${forecourt}`,
    })
  if (workedAt === null && orderFailedAt !== null && orderFailedAt > incident.lastAt)
    return `Tell ${runner} now: ${describeFailure(mergeTimeoutCauses(causes)[0]!.kind)}, since ${toTime(beganAt).text}. An attempt to place an order that waits failed at ${toTime(orderFailedAt).text}. What they should check is below.${forecourt}`
  if (endedAt === null && workedAt === null && isPartlyRecovered(incident, now))
    return `${describePartialRecovery(toTime(incident.recoveredAt).text)} Wait a minute. If this incident is still open then, tell ${runner}: ${describeFailure(mergeTimeoutCauses(causes)[0]!.kind)}, since ${toTime(beganAt).text}, but only for some calls. Also tell whoever runs Forecourt that not all of its processes reach ${name}.${forecourt}`
  const worked =
    workedAt === null
      ? ''
      : describeWorking(name, { respondedAt: responded, workedAt, latest }, (at) => toTime(at).text)
  const isQuiet = endedAt !== null || isIncidentInactive(incident, now)
  if (isQuiet && workedAt === null && isResponding(incident))
    return `${endedAt === null ? `Nothing is known to fail now. ${describeConfirmation(section)}` : 'Nothing is urgent.'} ${lasting ? `But ${askWhatChanged}` : ask}${forecourt}`
  if (endedAt === null && workedAt === null)
    return `Tell ${runner} now: ${describeFailure(mergeTimeoutCauses(causes)[0]!.kind)}, since ${toTime(beganAt).text}. What they should check is below.${forecourt}`
  if (lasting && workedAt !== null) return `${capitalize(worked)}. But ${askWhatChanged}${forecourt}`
  return workedAt !== null
    ? `Nothing is urgent: ${worked}. Forecourt cannot see why it works again. ${ask}${forecourt}`
    : `Nobody has used it since then, so it is not known whether ${name} works again. ${lasting ? `And ${askWhatChanged}${forecourt}` : ask}`
}

interface WorkingSince {
  respondedAt: number | null
  workedAt: number
  latest: string
}

/** Describes since when a section works. The system may have responded to other calls long before the next request for the section. */
function describeWorking(
  name: string,
  { respondedAt, workedAt, latest }: WorkingSince,
  toTime: (at: number) => string,
): string {
  const worked = toTime(workedAt)
  const responded = respondedAt === null || respondedAt >= workedAt ? worked : toTime(respondedAt)
  return responded === worked
    ? `${name} has worked since ${worked}${latest}`
    : `${name} responded again at ${responded}, and this part has worked since ${worked}${latest}`
}
