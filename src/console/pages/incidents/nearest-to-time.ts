import type { Outage } from '../../../diagnostics/reports/outages.ts'
import type { FailureBesideIncidentView } from './failures-beside-incidents-view.ts'

/** What began nearest to the time that was asked for; several if they began at the same time. */
export interface NearestToTime {
  /** Ids of incidents. */
  incidents: ReadonlySet<string>
  events: ReadonlySet<FailureBesideIncidentView>
}

/** Finds what began nearest to the middle of a period. Nothing is marked without a time, or if there is only one thing to see. */
export function findNearestToTime(
  during: { from: number; to: number } | null,
  outages: readonly Outage[],
  events: readonly FailureBesideIncidentView[],
): NearestToTime {
  const middle = during === null ? null : (during.from + during.to) / 2
  const distance = (at: number) => (middle === null ? Number.NaN : Math.abs(at - middle))
  const incidents = outages
    .flatMap((outage) => outage.incidents)
    .map(({ incidentId, beganAt }) => ({ incidentId, distance: distance(beganAt) }))
  const others = events.map((event) => ({ event, distance: distance(Date.parse(event.at.iso)) }))
  const all = [...incidents, ...others]
  const least = all.length > 1 ? Math.min(...all.map((one) => one.distance)) : Number.NaN
  return {
    incidents: new Set(incidents.filter((one) => one.distance === least).map(({ incidentId }) => incidentId)),
    events: new Set(others.filter((one) => one.distance === least).map(({ event }) => event)),
  }
}
