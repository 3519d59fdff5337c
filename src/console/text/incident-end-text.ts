import type { Incident } from '../../diagnostics/reports/incidents.ts'
import { isStoreIncident } from '../../diagnostics/status/is-store-incident.ts'

/** What attempts to place orders say about the end of an incident. Milliseconds since the epoch; `null`: nothing. */
export interface OrderEvidence {
  failedAt: number | null
  placedAt: number | null
}

/** A good response shows that it has ended. */
export const isEndKnown = ({ lastAt, endedAt, recoveredAt }: Incident): boolean =>
  endedAt !== null && recoveredAt !== null && recoveredAt > lastAt

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
  const placedAt = orders?.placedAt ?? null
  if (recoveredAt === null || recoveredAt < lastAt) return placedAt !== null && placedAt > lastAt ? placedAt : null
  return findIncidentEnd({ ...incident, recoveredAt }, orders)[1].at
}
