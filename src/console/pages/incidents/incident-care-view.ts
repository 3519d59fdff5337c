import type { IncidentNoteRow } from '../../../storage/diagnostics/incident-notes.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import type { DisplayTime } from '../../text/format-times.ts'
import { renderMarkdown } from '../../text/render-markdown.ts'

/** Who has seen an incident, who looks after it, and what operators have noted. */
export interface IncidentCareView {
  /** `null`: nobody has acknowledged it. */
  acknowledged: { by: string; at: DisplayTime } | null
  /** `null`: nobody looks after it. */
  assignee: string | null
  /** `html`: the rendered Markdown of a note. */
  notes: { by: string; at: DisplayTime; text: string; html: string | null }[]
}

export function toIncidentCareView(
  rows: readonly IncidentNoteRow[],
  merchant: string,
  merchants: MerchantDirectory,
): IncidentCareView {
  const { acknowledgement, assignee } = findCare(rows)
  return {
    acknowledged: acknowledgement && {
      by: acknowledgement.operator,
      at: merchants.time(acknowledgement.at, merchant),
    },
    assignee,
    notes: rows.map((row) => ({
      by: row.operator,
      at: merchants.time(row.at, merchant),
      text: toNoteText(row),
      html: row.kind === 'note' ? renderMarkdown(row.text ?? '') : null,
    })),
  }
}

/** Returns who has acknowledged an incident first and who looks after it now, from its entries. */
export function findCare(rows: readonly IncidentNoteRow[]) {
  return {
    acknowledgement: rows.find(({ kind }) => kind === 'acknowledged') ?? null,
    assignee: rows.findLast(({ kind }) => kind === 'assigned')?.text ?? null,
  }
}

/** Returns what lists say of an incident; empty: nobody has seen it. */
export function describeCare(rows: readonly IncidentNoteRow[]): string {
  const { acknowledgement, assignee } = findCare(rows)
  if (assignee !== null) return `assigned to ${assignee}`
  return acknowledgement ? `acknowledged by ${acknowledgement.operator}` : ''
}

function toNoteText({ kind, text }: IncidentNoteRow): string {
  if (kind === 'acknowledged') return 'Acknowledged.'
  if (kind === 'assigned') return text === null ? 'Assigned to nobody.' : `Assigned to ${text}.`
  return text ?? ''
}
