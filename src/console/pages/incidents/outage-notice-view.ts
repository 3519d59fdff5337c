import type { OutageNoticeRow } from '../../../storage/diagnostics/outage-notices.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import type { DisplayTime } from '../../text/format-times.ts'
import type { StatusPill } from '../status-pill.ts'

/** What a channel was told about an outage. */
export interface OutageNoticeView {
  began: DisplayTime
  system: string
  target: string
  pill: StatusPill
  detail: string
}

const pills: Readonly<Record<OutageNoticeRow['state'], StatusPill>> = {
  began_due: { tone: '', text: 'Not sent yet' },
  began_sent: { tone: 'well', text: 'Sent' },
  began_failed: { tone: 'failing', text: 'Failed' },
  ended_due: { tone: '', text: 'End not sent yet' },
  over_untold: { tone: '', text: 'Ended before it was sent' },
  failed: { tone: 'failing', text: 'Failed' },
  done: { tone: 'well', text: 'Start and end sent' },
}

export function toOutageNoticeView(row: OutageNoticeRow, merchants: MerchantDirectory): OutageNoticeView {
  const { state, failure, attempts, due_at } = row
  const isDue = state === 'began_due' || state === 'ended_due'
  const failed = failure === null ? '' : `The last attempt failed: ${failure}.`
  const next = isDue ? `Attempt ${attempts + 1} at ${merchants.time(due_at, null).text}.` : ''
  return {
    began: merchants.time(row.began_at, null),
    system: row.system,
    target: row.target,
    pill: isDue && failure !== null ? { tone: 'warning', text: 'Failed, will be sent again' } : pills[state],
    detail: [failed, next].filter(Boolean).join(' '),
  }
}
