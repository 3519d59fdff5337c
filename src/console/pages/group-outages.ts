import type { Incident } from '../../diagnostics/reports/incidents.ts'
import { countSketch, mergeSketches } from '../../storage/diagnostics/distinct-sketch.ts'
import type { IncidentImpact } from '../../storage/diagnostics/incident-impact.ts'

/** Incidents of one system of one merchant that overlap in time: one failing system degrades several sections at once. */
export interface Outage {
  /** The latest first, as they were listed. */
  incidents: Incident[]
  beganAt: number
  /** `null`: one of its incidents is open. */
  endedAt: number | null
}

/** Counts the shoppers of incidents of one outage. Who was affected by several of them counts once. */
export const countOutageShoppers = (impact: IncidentImpact, related: readonly Pick<Incident, 'impact'>[]): number =>
  countSketch(
    related.reduce((all, one) => (one.impact ? mergeSketches(all, one.impact.shoppers) : all), impact.shoppers),
  )

/** Groups incidents that are listed the latest first. An outage has the place of its latest incident. */
export function groupOutages(incidents: readonly Incident[]): Outage[] {
  const outages: Outage[] = []
  for (const incident of incidents) {
    const found = outages.find((outage) => isSameSystem(outage.incidents[0]!, incident) && overlaps(outage, incident))
    if (found) {
      found.incidents.push(incident)
      found.beganAt = Math.min(found.beganAt, incident.beganAt)
    } else outages.push({ incidents: [incident], beganAt: incident.beganAt, endedAt: incident.endedAt })
  }
  return outages
}

const isSameSystem = (one: Incident, other: Incident) =>
  one.system !== '' && one.system === other.system && one.tenant === other.tenant && one.mode === other.mode

/** An incident that is listed later has ended earlier, so it overlaps when it ended after the outage began. */
const overlaps = ({ beganAt }: Outage, { endedAt }: Incident) => endedAt === null || endedAt >= beganAt
