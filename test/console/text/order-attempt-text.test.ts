import { expect } from 'chai'
import { countFailedAttempts, describeLatestAttempt } from '../../../src/console/text/order-attempt-text.ts'
import type { OrderTryRow } from '../../../src/storage/commerce/order-tries.ts'

const count = (...outcomes: OrderTryRow['outcome'][]) =>
  countFailedAttempts(outcomes.map((outcome, number) => ({ number, outcome })))

describe('the texts of attempts to place an order', () => {
  it('count attempts that made a call apart from those that made none', () => {
    expect(count('timeout', 'error')).to.equal('2 attempts failed')
    expect(count('timeout', 'circuit_open')).to.equal('1 attempt failed, and 1 made no call, because calls were paused')
    expect(count('timeout', 'maintenance', 'circuit_open')).to.equal('1 attempt failed, and 2 made no call')
    expect(count('overloaded')).to.equal('1 attempt: 1 made no call')
  })

  it('say of planned maintenance that no call was made', () => {
    const text = describeLatestAttempt({ outcome: 'maintenance', kind: 'maintenance' })
    expect(text).to.match(/^made no call \(/)
  })
})
