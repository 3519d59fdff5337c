import { createImpact, mergeImpacts } from '../../storage/diagnostics/incident-impact.ts'
import { type IncidentUpdate, limitIncidentSamples } from '../../storage/diagnostics/incident-updates.ts'
import { mergeFailureCounts } from '../../storage/diagnostics/merge-failure-counts.ts'

/** Joins two updates of one section. */
export function mergeIncidentUpdates(earlier: IncidentUpdate, later: IncidentUpdate): IncidentUpdate {
  const codes = { ...earlier.codes }
  for (const [code, count] of Object.entries(later.codes)) codes[code] = (codes[code] ?? 0) + count
  return {
    ...later,
    first_at: earlier.first_at < later.first_at ? earlier.first_at : later.first_at,
    last_at: earlier.last_at > later.last_at ? earlier.last_at : later.last_at,
    answers: earlier.answers + later.answers,
    codes,
    causes: mergeFailureCounts({ ...earlier.causes }, later.causes),
    samples: limitIncidentSamples([...earlier.samples, ...later.samples]),
    impact: mergeImpacts(earlier.impact ?? createImpact(), later.impact ?? createImpact()),
  }
}
