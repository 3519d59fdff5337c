import type { Incident } from '../../diagnostics/reports/incidents.ts'
import { isIncidentInactive } from '../../diagnostics/status/is-incident-inactive.ts'
import { isStoreIncident } from '../../diagnostics/status/is-store-incident.ts'
import { isKeyIncident } from '../../diagnostics/status/read-refused-keys.ts'
import { capitalize } from './capitalize.ts'
import type { DisplayTime } from './format-times.ts'
import { findIncidentEnd, type OrderEvidence } from './incident-end-text.ts'
import { describePartialRecovery, isPartlyRecovered } from './partial-recovery-text.ts'
import { describeRespondingAgain, isResponding } from './responding-again-text.ts'
import { STORE_NAME } from './store-outage-text.ts'

export interface IncidentTextParts {
  orders?: OrderEvidence
  /** When the latest attempt to place an order that waits failed (milliseconds since the epoch); `null`: none waits, or one was placed. */
  orderFailedAt?: number | null
  /** An incident of the same system after this one. */
  later?: Incident | null
  /** When its system was first seen to respond after the outage (milliseconds since the epoch); `null`: that was not seen. */
  respondedAt?: number | null

  toTime: (at: number) => DisplayTime
  merchantName: string
  now: number
}

/** A key may also be refused because of the origin of a site. */
const hasEndedKey = ({ codes }: Incident) => codes.some(({ code }) => code === 'invalid_api_key')

/** Says whether an incident is ongoing, or between which times it ended. */
export function describeIncidentStatus(incident: Incident, { toTime, now, orders }: IncidentTextParts): string {
  const { beganAt, lastAt, endedAt, recoveredAt } = incident
  const [began, last] = [toTime(beganAt).text, toTime(lastAt).text]
  const isStore = isStoreIncident(incident)
  if (isKeyIncident(incident))
    return `${endedAt === null ? 'Still refused' : 'Refused'}, first at ${began}, last sent at ${last}. Five minutes after the last of these requests, the key counts as no longer used. It is refused whenever it is sent again.${endedAt !== null && hasEndedKey(incident) ? ' No longer used: the key stays revoked or expired, and whoever used it may still lack a key.' : ''}`
  if (endedAt === null && isIncidentInactive(incident, now)) {
    const placedAt = orders?.placedAt ?? null
    if (placedAt !== null && placedAt > lastAt)
      return `No degraded response since ${last}. An order that waited was placed at ${toTime(placedAt).text}. The first degraded response was sent at ${began}. The incident ends with the next good response, or after five minutes without requests.`
    if (isPartlyRecovered(incident, now))
      return `No degraded response since ${last}. ${describePartialRecovery(toTime(incident.recoveredAt).text)} The first degraded response was sent at ${began}. The incident ends when that process has a success, stops, or has seen no failure for a minute.`
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
    if (toTime(from.at).text === began && from.at === lastAt)
      return `${describeOnlyResponses(incident)} ${began}. The incident was over at ${toTime(to.at).text} (${to.name}) at the latest.`
    if (toTime(from.at).text === toTime(to.at).text)
      return `The incident began at ${began}, and ended at ${toTime(to.at).text} (${from.name} and, in the same second, ${to.name}).`
    return `The incident began at ${began}, and ended between ${toTime(from.at).text} (${from.name}) and ${toTime(to.at).text} (${to.name}).`
  }
  const respondingAgain = isResponding(incident) ? ` ${describeRespondingAgain(incident, toTime)}` : ''
  return `The incident began at ${began}. The last degraded response was sent at ${last}. There were no more requests for it before the incident counted as ended.${respondingAgain}`
}

function describeOnlyResponses(incident: Incident): string {
  if (isStoreIncident(incident)) return `${capitalize(STORE_NAME)} failed only at`
  return incident.answers === 1 ? 'The only degraded response was sent at' : 'All degraded responses were sent at'
}
