import { expect } from 'chai'
import { createRequestScope } from '../../../src/upstream/request/request-scope.ts'

const askingOf = (totalMs = 1_000, reserveMs = 50, now = () => 0) =>
  createRequestScope({ requestId: 'r', startedAt: 0 }, { totalMs, reserveMs }, now)

describe('a request scope', () => {
  it('has the total time, less the time spent and the reserve', () => {
    let now = 0
    const requestScope = askingOf(1_500, 50, () => now)
    expect(requestScope.leftMs()).to.equal(1_450)
    now = 1_500
    expect(requestScope.leftMs()).to.equal(-50)
  })

  it('notifies each listener once when its caller leaves, late ones at once, removed ones never', () => {
    const requestScope = askingOf()
    const told: string[] = []
    const never = () => told.push('never')
    requestScope.onLeave(() => told.push('early'))
    requestScope.onLeave(never)
    requestScope.offLeave(never)
    requestScope.leave()
    requestScope.leave()
    requestScope.onLeave(() => told.push('late'))
    expect(told).to.deep.equal(['early', 'late'])
  })
})
