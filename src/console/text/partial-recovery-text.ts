import type { Incident } from '../../diagnostics/reports/incidents.ts'
import { isIncidentInactive } from '../../diagnostics/status/is-incident-inactive.ts'

/** The pill of an open incident whose section was seen to work, or whose system was called, while nothing shows that it is over. */
export const NOT_CONFIRMED = 'Not confirmed yet'

type OpenUntilConfirmed = Pick<Incident, 'lastAt' | 'recoveredAt' | 'respondingSince'>

/** Returns whether the section of an open incident was seen to work again, but not by each process that saw it fail. */
export const isPartlyRecovered = <I extends OpenUntilConfirmed>(
  incident: I,
  now: number,
): incident is I & { recoveredAt: number } =>
  incident.recoveredAt !== null && incident.recoveredAt > incident.lastAt && isIncidentInactive(incident, now)

/** Says when a section worked again, and that not all of Forecourt has seen it. */
export const describePartialRecovery = (recoveredAt: string): string =>
  `A good response was sent at ${recoveredAt}, but a server process that saw it fail has had no success since.`
