import type { IncidentNoteRow } from '../../storage/diagnostics/incident-notes.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import type { DisplayTime } from '../text/format-times.ts'

/** Who has seen an incident, who looks after it, and what operators have noted. */
export interface IncidentCareView {
  /** `null`: nobody has acknowledged it. */
  acknowledged: { by: string; at: DisplayTime } | null
  /** `null`: nobody looks after it. */
  assignee: string | null
  notes: { by: string; at: DisplayTime; text: string }[]
}

export function toIncidentCareView(
  rows: readonly IncidentNoteRow[],
  merchant: string,
  merchants: MerchantDirectory,
): IncidentCareView {
  const acknowledgement = rows.find(({ kind }) => kind === 'acknowledged')
  const assignment = rows.findLast(({ kind }) => kind === 'assigned')
  return {
    acknowledged: acknowledgement
      ? { by: acknowledgement.operator, at: merchants.time(acknowledgement.at, merchant) }
      : null,
    assignee: assignment?.text ?? null,
    notes: rows.map((row) => ({
      by: row.operator,
      at: merchants.time(row.at, merchant),
      text: toNoteText(row),
    })),
  }
}

function toNoteText({ kind, text }: IncidentNoteRow): string {
  if (kind === 'acknowledged') return 'Acknowledged.'
  if (kind === 'assigned') return text === null ? 'Assigned to nobody.' : `Assigned to ${text}.`
  return text ?? ''
}
