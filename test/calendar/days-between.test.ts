import { expect } from 'chai'
import { daysBetween } from '../../src/calendar/days-between.ts'

describe('the days between two days', () => {
  it('are counted over a change of the clocks, the end of a month and a leap year', () => {
    expect([
      daysBetween('2026-03-28', '2026-03-30'),
      daysBetween('2026-02-27', '2026-03-02'),
      daysBetween('2028-02-28', '2028-03-01'),
      daysBetween('2026-03-02', '2026-03-02'),
    ]).to.deep.equal([2, 3, 2, 0])
  })
})
