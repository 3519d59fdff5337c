import { countSketch, mergeSketches } from '../../storage/diagnostics/distinct-sketch.ts'
import type { IncidentImpact } from '../../storage/diagnostics/incident-impact.ts'
import { INCIDENT_IDLE_MS, INCIDENT_QUIET_MS } from '../../storage/diagnostics/open-incidents.ts'
import type { Incident } from './incidents.ts'

/**
 * Incidents of one system of one merchant that overlap in time: one failing system degrades several sections at once. An incident that begins after
 * the system was seen to respond belongs to another outage, although a section was not asked for meanwhile.
 */
export interface Outage {
  /** The latest first, as they were listed. */
  incidents: Incident[]
  beganAt: number
  /** Time of the last degraded response; `null`: one of its incidents is open. */
  endedAt: number | null
}

/**
 * Returns until when an incident was open, or may be: until its section was healthy or its system responded again, and not only to its last
 * degraded response. Therefore an outage has the same incidents before and after its end.
 */
export function openUntil({ lastAt, recoveredAt, respondingSince, endedAt }: Incident): number {
  if (respondingSince !== null) return Math.max(respondingSince, lastAt + INCIDENT_QUIET_MS)
  if (endedAt === null) return Number.POSITIVE_INFINITY
  return recoveredAt !== null && recoveredAt > lastAt
    ? Math.max(recoveredAt, lastAt + INCIDENT_QUIET_MS)
    : lastAt + INCIDENT_IDLE_MS
}

/** Groups incidents that are listed the latest first. An outage has the place of its latest incident. */
export function groupOutages(incidents: readonly Incident[]): Outage[] {
  const outageOf = new Map<Incident, Incident[]>()
  const latestOfSystem = new Map<string, { incidents: Incident[]; until: number }>()
  for (const incident of incidents.toSorted((one, other) => one.beganAt - other.beganAt)) {
    const latest = incident.system === '' ? undefined : latestOfSystem.get(systemKey(incident))
    const isSame =
      latest !== undefined && incident.beganAt <= latest.until && !hasRespondedBetween(latest.incidents, incident)
    const outage = isSame ? latest.incidents : []
    outage.push(incident)
    outageOf.set(incident, outage)
    const until = Math.max(openUntil(incident), isSame ? latest.until : 0)
    latestOfSystem.set(systemKey(incident), { incidents: outage, until })
  }
  return [...new Set(incidents.map((incident) => outageOf.get(incident)!))].map((outage) => toOutage(incidents, outage))
}

/** Returns whether a section of an outage shows that the system responded after the outage, and five seconds before the next failure. */
function hasRespondedBetween(outage: readonly Incident[], { beganAt }: Incident): boolean {
  const lastAt = Math.max(...outage.map((one) => one.lastAt))
  const signs = outage.flatMap(({ recoveredAt, respondingSince }) => [recoveredAt, respondingSince])
  return signs.some((at) => at !== null && at > lastAt && at + INCIDENT_QUIET_MS <= beganAt)
}

const systemKey = ({ tenant, mode, system }: Incident) => `${tenant}\n${mode}\n${system}`

function toOutage(listed: readonly Incident[], outage: readonly Incident[]): Outage {
  const isOpen = outage.some(({ endedAt }) => endedAt === null)
  return {
    incidents: listed.filter((incident) => outage.includes(incident)),
    beganAt: Math.min(...outage.map(({ beganAt }) => beganAt)),
    endedAt: isOpen ? null : Math.max(...outage.map(({ lastAt }) => lastAt)),
  }
}

/** Counts the shoppers of incidents of one outage. Who was affected by several of them counts once. */
export const countOutageShoppers = (impact: IncidentImpact, related: readonly Pick<Incident, 'impact'>[]): number =>
  countSketch(
    related.reduce((all, one) => (one.impact ? mergeSketches(all, one.impact.shoppers) : all), impact.shoppers),
  )
