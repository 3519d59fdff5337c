import type { Incident } from '../../diagnostics/reports/incidents.ts'
import { nameSection, nameSystem } from '../../diagnostics/section-and-system-names.ts'
import { capitalize } from './capitalize.ts'

/** The pill of a system that responds, while no request has shown that the section works. */
export const RESPONDS_AGAIN = 'Responds again'

type RespondingIncident = Pick<Incident, 'system' | 'section' | 'endedAt'> & { respondingSince: number }

export const isResponding = <I extends { respondingSince: number | null }>(
  incident: I,
): incident is I & { respondingSince: number } => incident.respondingSince !== null

/** Says since when a system responds to calls that are not those of a section. */
export const describeRespondingSince = (system: string, since: string): string =>
  `${nameSystem(system)} has responded again since ${since} (other calls, also in the background)`

/** Says what would show that a section works again. */
export const describeConfirmation = (section: string): string =>
  `The next ${section === 'checkout' ? 'checkout' : 'request for it'} shows whether that part works.`

/** Says that the system of an incident responds again, and that no request has used the section since. */
export function describeRespondingAgain(
  { system, section, respondingSince, endedAt }: RespondingIncident,
  toTime: (at: number) => { text: string },
): string {
  const noRequest = section === 'checkout' ? 'No checkout' : `No request for ${nameSection(system, section)}`
  const since = toTime(respondingSince).text
  return endedAt === null
    ? `${capitalize(describeRespondingSince(system, since))}. ${noRequest} since, so that part is not confirmed.`
    : `${capitalize(nameSystem(system))} responded again at ${since} (other calls, also in the background). ${noRequest} before the incident counted as ended, so that part was not confirmed.`
}
