import { expect } from 'chai'
import { describeCall } from '../../../../src/console/pages/requests/section-and-call-row-views.ts'
import { callTrace } from '../../../diagnostics/diagnostics-setup.ts'

const call = callTrace()

describe('the row of a call', () => {
  it('describes the call in words', () => {
    expect([
      describeCall({ ...call, outcome: 'pending', ms: null }, 0),
      describeCall({ ...call, outcome: 'unavailable', attempts: 2, cause: 'ECONNREFUSED' }, 30),
      describeCall(call, 0),
    ]).to.deep.equal([
      ['in progress when the response was sent'],
      ['connection refused (ECONNREFUSED)', 'sent 2 times', '30 ms in the queue'],
      [],
    ])
  })
})
