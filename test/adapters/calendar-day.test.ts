import { expect } from 'chai'
import { startOfDay } from '../../adapters/calendar-day.ts'

describe('a calendar day', () => {
  it('begin in the time zone of the merchant, also across a change of clocks', () => {
    expect(startOfDay('2026-11-21', 'America/Jamaica')).to.equal('2026-11-21T05:00:00.000Z')
    expect(startOfDay('2026-03-29', 'Europe/Berlin')).to.equal('2026-03-28T23:00:00.000Z')
    expect(startOfDay('2026-10-25', 'Europe/Berlin')).to.equal('2026-10-24T22:00:00.000Z')
  })
})
