import { sources } from '../../ports/system.ts'
import type { OpenIncident } from '../../storage/diagnostics/open-incidents.ts'
import type { OwnerSum, SystemSum } from './merge-process-states.ts'
import { isSilent } from '../incidents.ts'
import { percentile } from '../counts/latency-histogram.ts'
import type { Circuit, IncidentNow, SystemNow } from './current-status.ts'
import type { ShownState } from './process-state.ts'
import { shownWords } from './shopper-impact-text.ts'

export interface KnownNow {
  told: OwnerSum | undefined
  circuits: readonly Circuit[]
  incidents: readonly OpenIncident[]
}

/** The systems that a merchant has, in the order that they are always told in. */
export function systemsNow({ told, circuits, incidents }: KnownNow, now: number): SystemNow[] {
  const known = new Set<string>([
    ...circuits.map(({ system }) => system),
    ...(told?.systems.keys() ?? []),
    ...incidents.map(({ system }) => system).filter((system) => system !== ''),
  ])
  return sources
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
  circuit: Circuit | undefined
  sum: SystemSum | undefined
  open: readonly OpenIncident[]
  shown: readonly ShownState[]
}

function systemNow({ system, circuit, sum, open, shown }: SystemKnown, now: number): SystemNow {
  const { calls, failed, latency, openIn } = sum ?? { calls: 0, failed: 0, latency: [], openIn: 0 }
  const incidents = open.map((one) => incidentNow(one, now))
  const current = shown.filter(({ section }) => incidents.some((one) => one.section === section && !one.silent))
  const state = circuit?.state ?? 'closed'
  return {
    ...{ system, state: openIn > 0 && state === 'closed' ? 'open' : state, openIn, held: circuit?.held ?? null },
    ...{ calls, errorRate: calls === 0 ? null : failed / calls },
    ...{ p50Ms: percentile(latency, 0.5), p99Ms: percentile(latency, 0.99) },
    lastGoodAgeMs: oldest(current, now),
    ...{ words: shownWords(current, now), incidents },
  }
}

function incidentNow({ incident_id, section, began_at, last_at, answers }: OpenIncident, now: number): IncidentNow {
  const lastAt = Date.parse(last_at)
  const times = { beganAt: Date.parse(began_at), lastAt }
  return { incidentId: incident_id, section, ...times, silent: isSilent({ lastAt }, now), answers }
}

function oldest(shown: readonly ShownState[], now: number): number | null {
  const times = shown.flatMap(({ oldestAsOf }) => (oldestAsOf === null ? [] : [oldestAsOf]))
  return times.length === 0 ? null : now - Math.min(...times)
}
