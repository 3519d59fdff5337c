import { circuitNames } from '../../ports/circuit-name.ts'
import { type IncidentImpact, parseImpact } from '../../storage/diagnostics/incident-impact.ts'
import { type OpenIncident, readRespondingSince } from '../../storage/diagnostics/open-incidents.ts'
import type { Mode } from '../../tenant.ts'
import { percentile } from '../counts/latency-histogram.ts'
import { isIncidentInactive } from './is-incident-inactive.ts'
import type { MergedSystemState, MergedTenantState } from './merge-process-states.ts'
import type { SectionImpact } from './process-state.ts'
import { toShopperImpactText } from './shopper-impact-text.ts'

/** The state of a circuit in this process. */
export interface CircuitStatus {
  merchant: string
  mode: Mode
  circuit: string
  state: 'closed' | 'open' | 'half-open'
  held?: { state: 'open' | 'closed'; untilMs: number; by: string; isMaintenance?: boolean } | null
}

/** One system of one tenant in the last minute, over all processes; the inventory's searches, which have a circuit of their own, count as one. */
export interface SystemStatus {
  /** The name of its circuit. */
  system: string
  /** The worst state in any process. */
  state: CircuitStatus['state']
  /** Number of processes whose circuit is open. */
  openIn: number
  held: NonNullable<CircuitStatus['held']> | null
  calls: number
  /** 0..1; `null` without calls. */
  errorRate: number | null
  /** Latency of calls that were sent; `null` without any. */
  p50Ms: number | null
  p99Ms: number | null
  /** Age of the oldest last-good value in responses; `null` when none was served. */
  lastGoodAgeMs: number | null
  /** The effect on shoppers, in sentences; empty without an effect, or without requests. */
  impactText: string[]
  /** Open incidents. */
  incidents: IncidentStatus[]
}

export interface IncidentStatus {
  incidentId: string
  section: string
  beganAt: number
  /** Time of the last degraded response. */
  lastAt: number
  /** No response showed the section lately, degraded or healthy: there are no requests. */
  isInactive: boolean
  /** When the section was healthy again; `null` until a healthy response is seen. */
  recoveredAt: number | null
  /** Since when the system has responded to all other calls after the last degraded response; `null`: it has not, or nothing is known. */
  respondingSince: number | null
  answers: number
  /** Of these, how many had an older value; `null`: unknown. */
  olderValues: number | null
  /** What shoppers got instead; `null`: unknown. */
  impact: Pick<IncidentImpact, 'seen' | 'oldestMs'> | null
}

export interface SystemStatusInput {
  state: MergedTenantState | undefined
  circuits: readonly CircuitStatus[]
  incidents: readonly OpenIncident[]
}

/** Returns the status of each system of a tenant, in the order of `circuitNames`. */
export function toSystemStatuses({ state, circuits, incidents }: SystemStatusInput, now: number): SystemStatus[] {
  const systems = new Set<string>([
    ...circuits.map(({ circuit }) => circuit),
    ...(state?.systems.keys() ?? []),
    ...incidents.map(({ system }) => system).filter((system) => system !== ''),
  ])
  const impacts = [...(state?.impacts.values() ?? [])]
  return circuitNames
    .filter((system) => systems.has(system))
    .map((system) => {
      const isOfSystem = (entry: { system: string }) => entry.system === system
      return toSystemStatus(
        {
          system,
          circuit: circuits.find(({ circuit }) => circuit === system),
          state: state?.systems.get(system),
          openIncidents: incidents.filter(isOfSystem),
          impacts: impacts.filter(isOfSystem),
        },
        now,
      )
    })
}

interface SystemInput {
  system: string
  circuit: CircuitStatus | undefined
  state: MergedSystemState | undefined
  openIncidents: readonly OpenIncident[]
  impacts: readonly SectionImpact[]
}

function toSystemStatus(input: SystemInput, now: number): SystemStatus {
  const none = { calls: 0, failed: 0, latency: [], openIn: 0, halfOpenIn: 0 }
  const { calls, failed, latency, openIn, halfOpenIn } = input.state ?? none
  const incidents = input.openIncidents.map((incident) => toIncidentStatus(incident, now))
  const currentImpacts = input.impacts.filter((impact) =>
    incidents.some((incident) => incident.section === impact.section && !incident.isInactive),
  )
  // The same in all processes: a process may follow the circuit of another, or be without calls.
  const openState = openIn > halfOpenIn ? 'open' : 'half-open'
  return {
    system: input.system,
    state: openIn > 0 ? openState : (input.circuit?.state ?? 'closed'),
    openIn,
    held: input.circuit?.held ?? null,
    calls,
    errorRate: calls === 0 ? null : failed / calls,
    p50Ms: percentile(latency, 0.5),
    p99Ms: percentile(latency, 0.99),
    lastGoodAgeMs: oldestAgeMs(currentImpacts, now),
    impactText: toShopperImpactText(currentImpacts, now),
    incidents,
  }
}

function toIncidentStatus(incident: OpenIncident, now: number): IncidentStatus {
  const lastAt = Date.parse(incident.last_at)
  const respondingSince = readRespondingSince(incident)
  const impact = parseImpact(incident.impact ?? null)
  return {
    incidentId: incident.incident_id,
    section: incident.section,
    beganAt: Date.parse(incident.began_at),
    lastAt,
    isInactive: isIncidentInactive({ lastAt, respondingSince }, now),
    recoveredAt: incident.well_at === null ? null : Date.parse(incident.well_at),
    respondingSince,
    answers: incident.answers,
    olderValues: impact?.stale ?? null,
    impact: impact && { seen: impact.seen, oldestMs: impact.oldestMs },
  }
}

function oldestAgeMs(impacts: readonly SectionImpact[], now: number): number | null {
  const asOfTimes = impacts.flatMap(({ oldestAsOf }) => (oldestAsOf === null ? [] : [oldestAsOf]))
  return asOfTimes.length === 0 ? null : now - Math.min(...asOfTimes)
}
