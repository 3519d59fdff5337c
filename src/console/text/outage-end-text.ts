import type { IncidentDetail } from '../../diagnostics/reports/incident-detail.ts'

/**
 * Returns when the system of an outage was first seen to respond after its last degraded response (milliseconds since the epoch): a section
 * was healthy, another call succeeded, or calls were resumed. `null`: that was not seen. It is the same for all sections of the outage.
 */
export function findRespondedAt({ related, changes, ...incident }: IncidentDetail): number | null {
  const incidents = [incident, ...related]
  const lastAt = Math.max(...incidents.map((one) => one.lastAt))
  const resumed = changes.filter(({ state }) => state === 'closed')
  const signs = [
    ...incidents.flatMap(({ recoveredAt, respondingSince }) => [recoveredAt, respondingSince]),
    ...resumed.map(({ at }) => at),
  ].filter((at) => at !== null && at > lastAt)
  return signs.length === 0 ? null : Math.min(...(signs as number[]))
}
