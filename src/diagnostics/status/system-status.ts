import { portNames } from '../../ports/system.ts'
import type { OpenIncident } from '../../storage/diagnostics/open-incidents.ts'
import { percentile } from '../counts/latency-histogram.ts'
import { isIncidentSilent } from '../incidents.ts'
import type { CircuitStatus, IncidentStatus, SystemStatus } from './current-status.ts'
import type { MergedSystemState, MergedTenantState } from './merge-process-states.ts'
import type { SectionImpact } from './process-state.ts'
import { toShopperImpactText } from './shopper-impact-text.ts'

export interface SystemStatusInput {
  state: MergedTenantState | undefined
  circuits: readonly CircuitStatus[]
  incidents: readonly OpenIncident[]
}

/** The systems that a merchant has, in the order that they are always told in. */
export function toSystemStatuses({ state: told, circuits, incidents }: SystemStatusInput, now: number): SystemStatus[] {
  const known = new Set<string>([
    ...circuits.map(({ system }) => system),
    ...(told?.systems.keys() ?? []),
    ...incidents.map(({ system }) => system).filter((system) => system !== ''),
  ])
  return portNames
    .filter((system) => known.has(system))
    .map((system) => {
      const circuit = circuits.find((one) => one.system === system)
      const open = incidents.filter((one) => one.system === system)
      const shown = [...(told?.shown.values() ?? [])].filter((one) => one.system === system)
      return systemNow({ system, circuit, sum: told?.systems.get(system), open, shown }, now)
    })
}

interface SystemKnown {
  system: string
  circuit: CircuitStatus | undefined
  sum: MergedSystemState | undefined
  open: readonly OpenIncident[]
  shown: readonly SectionImpact[]
}

function systemNow({ system, circuit, sum, open, shown }: SystemKnown, now: number): SystemStatus {
  const { calls, failed, latency, openIn } = sum ?? { calls: 0, failed: 0, latency: [], openIn: 0 }
  const incidents = open.map((one) => incidentNow(one, now))
  const current = shown.filter(({ section }) => incidents.some((one) => one.section === section && !one.silent))
  const state = circuit?.state ?? 'closed'
  return {
    ...{ system, state: openIn > 0 && state === 'closed' ? 'open' : state, openIn, held: circuit?.held ?? null },
    ...{ calls, errorRate: calls === 0 ? null : failed / calls },
    ...{ p50Ms: percentile(latency, 0.5), p99Ms: percentile(latency, 0.99) },
    lastGoodAgeMs: oldest(current, now),
    ...{ impactText: toShopperImpactText(current, now), incidents },
  }
}

function incidentNow({ incident_id, section, began_at, last_at, answers }: OpenIncident, now: number): IncidentStatus {
  const lastAt = Date.parse(last_at)
  const times = { beganAt: Date.parse(began_at), lastAt }
  return { incidentId: incident_id, section, ...times, silent: isIncidentSilent({ lastAt }, now), answers }
}

function oldest(shown: readonly SectionImpact[], now: number): number | null {
  const times = shown.flatMap(({ oldestAsOf }) => (oldestAsOf === null ? [] : [oldestAsOf]))
  return times.length === 0 ? null : now - Math.min(...times)
}
