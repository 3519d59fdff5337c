import { expect } from 'chai'
import { formatRecord } from '../../../src/cli/why/format-record.ts'
import type { RequestRecordView } from '../../../src/console/pages/request-page-view.ts'

describe('the text of a request', () => {
  it('has no characters that a terminal obeys, whatever clients and systems sent', () => {
    const record = {
      pill: { tone: 'warning', text: 'Refused' },
      merchantName: 'Acme',
      mode: 'live',
      at: { iso: '2026-01-01T00:00:00.000Z', text: 'today' },
      timeZone: 'UTC',
      summary: 'not JSON: \u001b[2J',
      facts: [['Origin', 'a\r\nb\u009b']],
      problem: null,
      problemCause: null,
      sections: [],
      calls: [],
    } as Partial<RequestRecordView> as RequestRecordView
    expect(formatRecord(record)).to.deep.equal([
      'Refused: Acme (live), today (UTC)',
      'not JSON: \\u001b[2J',
      '',
      'Origin  a\\u000d\\u000ab\\u009b',
      '',
      'No calls were made for this request.',
    ])
  })
})
