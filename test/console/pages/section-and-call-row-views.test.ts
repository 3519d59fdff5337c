import { expect } from 'chai'
import { describeCall } from '../../../src/console/pages/section-and-call-row-views.ts'
import type { CallTrace } from '../../../src/upstream/request/call-trace.ts'

const call: CallTrace = {
  system: 'pricing',
  operation: 'price',
  at: 1_000,
  queuedMs: 0,
  ms: 100,
  attempts: 1,
  outcome: 'ok',
  cause: null,
}

describe('the row of a call', () => {
  it('describes the call in words', () => {
    expect([
      describeCall({ ...call, outcome: 'pending', ms: null }, 0),
      describeCall({ ...call, outcome: 'unavailable', attempts: 2, cause: 'ECONNREFUSED' }, 30),
      describeCall(call, 0),
    ]).to.deep.equal([
      ['in progress when the response was sent'],
      ['ECONNREFUSED', 'sent 2 times', '30 ms in the queue'],
      [],
    ])
  })
})
