import type { Database } from '../../storage/database.ts'
import { INCIDENT_QUIET_MS } from '../../storage/diagnostics/open-incidents.ts'
import type { FailureCount } from '../../upstream/guard/recent-failure-kinds.ts'
import type { Incident } from './incidents.ts'
import { readIncidentRecords } from './outage-responses.ts'

/** A part of an incident in which its system failed in the same way, from the first degraded response to the last. */
export interface IncidentPhase {
  /** Milliseconds since the epoch. */
  from: number
  to: number
  /** The number of degraded responses. */
  count: number
  /** By kind of failure. */
  causes: FailureCount[]
}

/**
 * Returns the phases of an incident: a system that fails again before every process of Forecourt has seen it respond is one incident, although the
 * cause may be another one. Empty: the cause did not change after five seconds without a degraded response, or not all responses are recorded.
 */
export async function readIncidentPhases(db: Database, incident: Incident): Promise<IncidentPhase[]> {
  if (incident.causes.length < 2 || incident.system === '') return []
  const records = (await readIncidentRecords(db, [incident]))?.[0] ?? []
  const failures = records.toReversed().map(({ at, sections }) => ({
    at,
    kind: sections.find(({ name, system }) => name === incident.section && system === incident.system)?.kind ?? '',
  }))
  const phases = joinSameCauses(splitAtPauses(failures)).map(toPhase)
  return phases.length > 1 ? phases : []
}

interface Failure {
  at: number
  kind: string
}

function splitAtPauses(failures: readonly Failure[]): Failure[][] {
  const runs: Failure[][] = []
  for (const failure of failures) {
    const before = runs.at(-1)?.at(-1)
    if (before === undefined || failure.at - before.at >= INCIDENT_QUIET_MS) runs.push([failure])
    else runs.at(-1)!.push(failure)
  }
  return runs
}

function joinSameCauses(runs: readonly Failure[][]): Failure[][] {
  const phases: Failure[][] = []
  for (const run of runs) {
    const before = phases.at(-1)
    if (before && toCauseKey(before) === toCauseKey(run)) before.push(...run)
    else phases.push([...run])
  }
  return phases
}

/** How long a call was waited for makes no other cause. */
const toCauseKey = (failures: readonly Failure[]) =>
  [...new Set(failures.map(({ kind }) => kind.replace(/\d+ ms$/, 'ms')))].toSorted().join('\n')

const toPhase = (failures: readonly Failure[]): IncidentPhase => ({
  from: failures[0]!.at,
  to: failures.at(-1)!.at,
  count: failures.length,
  causes: [...Map.groupBy(failures, ({ kind }) => kind)].map(([kind, of]) => ({ kind, count: of.length })),
})
