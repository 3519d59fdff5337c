import type { IncidentUpdate } from '../../storage/diagnostics/incident-updates.ts'
import type { IncidentKey } from '../../storage/diagnostics/open-incidents.ts'
import {
  type FailurePause,
  findFailurePause,
  isRecentFailure,
  type SectionFailure,
} from '../status/failure-evidence.ts'

/** The health of one section in this process. Never deleted: there are no more of them than merchants times sections. */
export interface SectionHealth {
  key: IncidentKey
  /** Time of the last degraded response of this process, and of the first since the section was healthy. */
  degradedAt: number
  failingSince: number
  failurePause?: FailurePause | undefined
  healthyAt: number
  /** It was healthy only because the mirror had a current value. */
  mirroredAt: number
  /** Operations of the section's system that the section needs. */
  operations: Set<string>
  /** Operations that failed since the section was degraded. */
  failingOperations: Set<string>
  update: IncidentUpdate | null
}

/** The calls of this process to the system of a section. */
export interface SectionCalls {
  /** When each operation last succeeded. */
  successes: ReadonlyMap<string, number> | undefined
  /** When one of the failing operations failed last, of those that have not responded since; 0: none. */
  failedAt: number
}

export const createSectionHealth = (key: IncidentKey): SectionHealth => ({
  key,
  degradedAt: 0,
  failingSince: 0,
  healthyAt: 0,
  mirroredAt: 0,
  operations: new Set(),
  failingOperations: new Set(),
  update: null,
})

/** An operation that failed must have succeeded again; in a process where none failed, any operation of the section. */
export function hasSucceededSince(
  { failingOperations, operations }: SectionHealth,
  successes: SectionCalls['successes'],
  since: number,
): boolean {
  const relevant = failingOperations.size > 0 ? failingOperations : operations
  return [...relevant].some((operation) => (successes?.get(operation) ?? 0) > since)
}

/** Records a degraded response. */
export function markDegraded(health: SectionHealth, calls: SectionCalls, at: number): void {
  const failedAt = findFailedAt(health, calls)
  health.failurePause = findFailurePause(health.failurePause, failedAt, at)
  if (failedAt === null || !isRecentFailure(failedAt, at)) health.failingSince = at
  health.degradedAt = at
}

/** Returns what this process sees failing of a section; `null`: nothing. No process is asked about a key or about the store. */
export function toSectionFailure(health: SectionHealth, calls: SectionCalls, now: number): SectionFailure | null {
  if (health.key.system === '') return null
  const failedAt = findFailedAt(health, calls)
  if (failedAt === null || !isRecentFailure(failedAt, now)) return null
  const { key, failingSince: since, failurePause: pause, failingOperations } = health
  return { ...key, since, failedAt, ...(pause && { pause }), operations: [...failingOperations].toSorted() }
}

/** Returns when the section failed last: in a response, or in a call in the background. `null`: it has succeeded since, or has not failed. */
function findFailedAt(health: SectionHealth, { successes, failedAt }: SectionCalls): number | null {
  const { degradedAt, healthyAt, failingOperations } = health
  if (degradedAt === 0) return null
  const succeededAt = Math.max(0, ...[...failingOperations].map((operation) => successes?.get(operation) ?? 0))
  const isHealthy = healthyAt > degradedAt && hasSucceededSince(health, successes, degradedAt)
  const workedAt = Math.max(isHealthy ? healthyAt : 0, succeededAt)
  const latest = Math.max(degradedAt, failedAt)
  return latest > workedAt ? latest : null
}
