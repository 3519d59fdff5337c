import type { CircuitChange, IncidentDetail } from '../../diagnostics/reports/incident-detail.ts'

/**
 * Returns when the system of an outage was first seen to respond after its last degraded response (milliseconds since the epoch): a section
 * was healthy, another call succeeded, or calls were resumed. `null`: that was not seen. It is the same for all sections of the outage.
 */
export function findRespondedAt({ related, changes, ...incident }: IncidentDetail): number | null {
  const incidents = [incident, ...related]
  const lastAt = Math.max(...incidents.map((one) => one.lastAt))
  const resumed = changes.filter(({ state }) => state === 'closed')
  const signs = [...incidents.map(({ recoveredAt }) => recoveredAt), ...resumed.map(({ at }) => at)]
  const calls = incidents.map(({ respondingSince }) => respondingSince)
  const found = [
    ...signs.filter((at) => at !== null && at > lastAt),
    ...calls.filter((at) => at !== null && (at > lastAt || isProbe(at, lastAt, changes))),
  ]
  return found.length === 0 ? null : Math.min(...(found as number[]))
}

/** Returns whether a successful call was a probe, after which responses were degraded only because the circuit was still open. */
function isProbe(at: number, lastAt: number, changes: readonly CircuitChange[]): boolean {
  const before = changes.findLast((change) => change.at <= at)
  const next = changes.find((change) => change.at > at)
  return before?.state === 'open' && next?.state === 'closed' && next.at >= lastAt
}
