import type { IncidentDetail } from '../../diagnostics/reports/incident-detail.ts'
import { nameSystem } from '../../diagnostics/section-and-system-names.ts'
import { toSectionCircuit } from '../../diagnostics/section-circuit.ts'
import { capitalize } from './capitalize.ts'

/**
 * Says from when to when a system failed, if responses were degraded after it had responded again, because Forecourt still paused calls. Empty: they
 * were not, or that is not known.
 */
export function describePauseAfterRecovery(
  incident: IncidentDetail,
  respondedAt: number | null,
  toTime: (at: number) => { text: string },
): string {
  const incidents = [incident, ...incident.related]
  const lastAt = Math.max(...incidents.map((one) => one.lastAt))
  const circuit = toSectionCircuit(incident)
  const resumed = incident.changes.filter((change) => change.circuit === circuit && change.state === 'closed')
  const resumedAt = Math.max(...resumed.map(({ at }) => at))
  if (respondedAt === null || respondedAt >= lastAt || resumedAt <= respondedAt || resumed.length === 0) return ''
  const began = toTime(Math.min(...incidents.map((one) => one.beganAt))).text
  const [responded, last, end] = [respondedAt, lastAt, resumedAt].map((at) => toTime(at).text)
  const name = nameSystem(circuit)
  return `${capitalize(name)} itself failed from ${began} to ${responded} at the latest. After that, Forecourt still paused calls until ${end}, so responses without a call were degraded until ${last}.`
}
