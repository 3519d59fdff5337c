import type { Incident } from '../../diagnostics/reports/incidents.ts'
import { nameSystem } from '../../diagnostics/section-and-system-names.ts'
import { isIncidentInactive } from '../../diagnostics/status/is-incident-inactive.ts'
import { isKeyIncident } from '../../diagnostics/status/read-refused-keys.ts'
import { capitalize } from './capitalize.ts'
import { describeFailure } from './failure-kind-text.ts'
import type { DisplayTime } from './format-times.ts'
import { describeLaterFailure } from './later-failure-text.ts'
import { describeConfirmation, describeRespondingAgain, isResponding } from './responding-again-text.ts'
import { STORE_NAME } from './store-outage-text.ts'

/** What attempts to place orders say about the end of an incident. Milliseconds since the epoch; `null`: nothing. */
export interface OrderEvidence {
  failedAt: number | null
  placedAt: number | null
}

export interface IncidentTextParts {
  orders?: OrderEvidence
  /** An incident of the same system after this one. */
  later?: Incident | null

  toTime: (at: number) => DisplayTime
  merchantName: string
  now: number
}

/** The database of Forecourt itself. */
export const isStoreIncident = ({ system, section }: Pick<Incident, 'system' | 'section'>): boolean =>
  system === '' && section === 'store'

/** The searches of the inventory have a circuit of their own. */
export const toSectionCircuit = ({ system, section }: Pick<Incident, 'system' | 'section'>): string =>
  system === 'inventory' && section === 'data' ? 'inventory-search' : system

/** A good response shows that it has ended. */
export const isEndKnown = ({ lastAt, endedAt, recoveredAt }: Incident): boolean =>
  endedAt !== null && recoveredAt !== null && recoveredAt > lastAt

/** Says whether an incident is ongoing, or between which times it ended. */
export function describeIncidentStatus(incident: Incident, { toTime, now, orders }: IncidentTextParts): string {
  const { beganAt, lastAt, endedAt, recoveredAt } = incident
  const [began, last] = [toTime(beganAt).text, toTime(lastAt).text]
  const isStore = isStoreIncident(incident)
  if (isKeyIncident(incident))
    return `${endedAt === null ? 'Still refused' : 'Refused'}, first at ${began}, last sent at ${last}. Five minutes after the last of these requests, this incident counts as ended; the key stays refused.`
  if (endedAt === null && isIncidentInactive(incident, now)) {
    if (isResponding(incident))
      return `No degraded response since ${last}. ${describeRespondingAgain(incident, toTime)} The first degraded response was sent at ${began}. The incident ends with the next good response, or after five minutes without requests.`
    return `No degraded response since ${last}, and no requests since then. The first degraded response was sent at ${began}. The incident ends with the next good response, or after five minutes without requests.`
  }
  if (endedAt === null && isStore)
    return `The incident is ongoing: ${STORE_NAME} has not worked since ${began}. It ends when Forecourt can use it again.`
  if (endedAt === null)
    return `The incident is ongoing. The first degraded response was sent at ${began}, the latest at ${last}. It ends after a good response, once no degraded one has been sent for five seconds.`
  if (recoveredAt !== null && recoveredAt >= lastAt) {
    const [from, to] = findIncidentEnd({ ...incident, recoveredAt }, orders)
    return `The incident began at ${began}, and ended between ${toTime(from.at).text} (${from.name}) and ${toTime(to.at).text} (${to.name}).`
  }
  const respondingAgain = isResponding(incident) ? ` ${describeRespondingAgain(incident, toTime)}` : ''
  return `The incident began at ${began}. The last degraded response was sent at ${last}. There have been no requests since then, so it counts as ended.${respondingAgain}`
}

interface EndBound {
  at: number
  name: string
}

/** Returns between which times an incident ended. Attempts to place orders can say it more closely than responses. */
export function findIncidentEnd(
  incident: Incident & { recoveredAt: number },
  { failedAt, placedAt }: OrderEvidence = { failedAt: null, placedAt: null },
): [from: EndBound, to: EndBound] {
  const { lastAt, recoveredAt } = incident
  const isStore = isStoreIncident(incident)
  const to =
    placedAt !== null && placedAt > lastAt && placedAt < recoveredAt
      ? { at: placedAt, name: 'an order was placed' }
      : { at: recoveredAt, name: isStore ? 'it worked again' : 'next good response' }
  const from =
    failedAt !== null && failedAt > lastAt && failedAt < to.at
      ? { at: failedAt, name: 'an attempt to place an order failed' }
      : { at: lastAt, name: isStore ? 'it still failed' : 'last degraded response' }
  return [from, to]
}

/** Returns when an incident was seen to be over, in milliseconds since the epoch; `null`: that was not seen. */
export function findWorkedAt(incident: Incident, orders?: OrderEvidence): number | null {
  const { recoveredAt, lastAt } = incident
  if (recoveredAt === null || recoveredAt < lastAt) return null
  return findIncidentEnd({ ...incident, recoveredAt }, orders)[1].at
}

/** Somebody must have mended it, or it returns. */
const LASTING_CAUSE = /^(TLS certificate|login refused|the disk is full)/

export const isLastingCause = (kind: string): boolean => LASTING_CAUSE.test(kind)

/** What whoever runs Forecourt does in its configuration, after whoever runs the system. */
function describeForecourtTask(kind: string): string {
  if (/^login refused/.test(kind))
    return ' If the key or the password is another one now, whoever runs Forecourt puts it into its configuration, and restarts it.'
  if (/^name not found/.test(kind))
    return ' Only if the name has changed, whoever runs Forecourt changes the address in its configuration, and restarts it.'
  return ''
}

/** Says what somebody who is no engineer does about an incident; `null`: no failure of a system is known. */
export function describeIncidentTodo(
  incident: Incident,
  { toTime, merchantName, now, orders, later = null }: IncidentTextParts,
): string | null {
  const { system, section, causes, beganAt, endedAt } = incident
  if (causes.length === 0) return null
  const workedAt = findWorkedAt(incident, orders)
  const isStore = isStoreIncident({ system, section })
  if (later !== null)
    return describeLaterFailure(incident, later, {
      ...{ toTime, now, workedAt },
      name: isStore ? STORE_NAME : nameSystem(system),
    })
  const runner =
    isStore || system === '' ? 'whoever runs Forecourt' : `whoever runs ${nameSystem(system)} of ${merchantName}`
  const latest = isStore ? '' : ' at the latest'
  const forecourt = causes.map(({ kind }) => describeForecourtTask(kind)).find((task) => task !== '') ?? ''
  const name = isStore ? STORE_NAME : nameSystem(toSectionCircuit({ system, section }))
  const ask = `Ask ${runner} whether the cause below was removed. If it was not, it can fail again.`
  const isQuiet = endedAt !== null || isIncidentInactive(incident, now)
  if (isQuiet && workedAt === null && isResponding(incident))
    return `${endedAt === null ? `Nothing is known to fail now. ${describeConfirmation(section)}` : 'Nothing is urgent.'} ${ask}${forecourt}`
  if (endedAt === null)
    return `Tell ${runner} now: ${describeFailure(causes[0]!.kind)}, since ${toTime(beganAt).text}. What they should check is below.${forecourt}`
  const lasting = causes.find(({ kind }) => isLastingCause(kind))
  if (lasting && workedAt !== null)
    return `${capitalize(name)} has worked since ${toTime(workedAt).text}${latest}. But this cause (${describeFailure(lasting.kind)}) does not go away by itself: ask ${runner} what they changed, and whether it is enough.${forecourt}`
  return workedAt !== null
    ? `Nothing is urgent: ${name} has worked since ${toTime(workedAt).text}${latest}. Forecourt cannot see why it works again. ${ask}${forecourt}`
    : `Nobody has used it since then, so it is not known whether ${name} works again. ${ask}`
}
