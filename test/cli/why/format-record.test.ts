import { expect } from 'chai'
import { formatRecord } from '../../../src/cli/why/format-record.ts'
import type { RequestRecordView } from '../../../src/console/pages/requests/request-page-view.ts'

describe('the text of a request', () => {
  it('has no characters that a terminal obeys, whatever clients and systems sent, and says whom to call', () => {
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
      whomToCall: [
        { about: 'pricing of Acme', contact: { name: 'Lee Wong', phone: '+1 876 555-0100' }, setting: '' },
        { about: 'Forecourt', contact: null, setting: 'operations.contact' },
      ],
      sections: [],
      calls: [],
    } as Partial<RequestRecordView> as RequestRecordView
    expect(formatRecord(record)).to.deep.equal([
      'Refused: Acme (live), today (UTC)',
      'not JSON: \\u001b[2J',
      '',
      'Origin  a\\u000d\\u000ab\\u009b',
      '',
      'Whom to call about pricing of Acme: Lee Wong, +1 876 555-0100',
      '',
      'No calls were made for this request.',
    ])
  })
})
