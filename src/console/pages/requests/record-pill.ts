import type { RequestRecord } from '../../../diagnostics/reports/request-records.ts'
import type { RecordKind } from '../../../diagnostics/request-record-kind.ts'
import type { StatusPill } from '../status-pill.ts'

const kindPills: Readonly<Record<RecordKind, StatusPill>> = {
  degraded: { tone: 'failing', text: 'Degraded' },
  slow: { tone: 'warning', text: 'Slow' },
  refused: { tone: 'warning', text: 'Refused' },
}

/** A refused response has no section to be degraded. */
export const toRecordPill = ({ kind, status }: Pick<RequestRecord, 'kind' | 'status'>): StatusPill =>
  status >= 500 ? { tone: 'failing', text: 'Refused with an error' } : kindPills[kind]
