import { expect } from 'chai'
import { findRespondedAt } from '../../../src/console/text/find-responded-at.ts'
import type { CircuitChange, IncidentDetail } from '../../../src/diagnostics/reports/incident-detail.ts'
import type { Incident } from '../../../src/diagnostics/reports/incidents.ts'

const at = (lastAt: number, { recoveredAt = null, respondingSince = null }: Partial<Incident> = {}) =>
  ({ lastAt, recoveredAt, respondingSince }) as Incident
const change = (time: number, state: CircuitChange['state']) => ({ at: time, state }) as CircuitChange
const find = (one: Incident, related: Incident[], changes: CircuitChange[] = []) =>
  findRespondedAt({ ...one, related, changes } as IncidentDetail)

describe('findRespondedAt', () => {
  it('finds the first sign after the last degraded response of all sections', () => {
    const prices = at(20, { recoveredAt: 60 })
    const totals = at(30, { respondingSince: 50 })
    expect(find(prices, [totals])).to.equal(50)
    expect(find(totals, [prices])).to.equal(50)
    expect(find(prices, [totals], [change(15, 'open'), change(40, 'closed')])).to.equal(40)
    expect(find(at(20, { recoveredAt: 25 }), [at(30)])).to.equal(null)
  })

  it('counts a trial, after which responses without a call were degraded', () => {
    const totals = at(20, { respondingSince: 25 })
    const paused = at(30)
    const pause = [change(18, 'open'), change(34, 'closed')]
    expect(find(totals, [paused], pause)).to.equal(25)
    expect(find(paused, [totals], pause)).to.equal(25)
    expect(find(totals, [paused], [...pause.slice(0, 1), change(28, 'open'), change(34, 'closed')])).to.equal(34)
    expect(find(totals, [paused])).to.equal(null)
  })
})
