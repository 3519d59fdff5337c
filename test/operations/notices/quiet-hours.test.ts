import { expect } from 'chai'
import { afterQuietHours } from '../../../src/operations/notices/quiet-hours.ts'

/** Jamaica is five hours behind UTC, the whole year. */
const at = (local: string) => Date.parse(`${local}:00-05:00`)
const night = { from: '22:00', to: '07:00', timeZone: 'America/Jamaica' }
const lunch = { from: '12:00', to: '13:30', timeZone: 'America/Jamaica' }

describe('quiet hours', () => {
  it('delay nothing outside of them', () => {
    expect(afterQuietHours(at('2026-11-21T21:59'), night)).to.equal(at('2026-11-21T21:59'))
    expect(afterQuietHours(at('2026-11-21T07:00'), night)).to.equal(at('2026-11-21T07:00'))
    expect(afterQuietHours(at('2026-11-21T13:30'), lunch)).to.equal(at('2026-11-21T13:30'))
    expect(afterQuietHours(5, null)).to.equal(5)
  })

  it('delay a message to their end, also across midnight', () => {
    expect(afterQuietHours(at('2026-11-21T22:00'), night)).to.equal(at('2026-11-22T07:00'))
    expect(afterQuietHours(at('2026-11-21T23:59'), night)).to.equal(at('2026-11-22T07:00'))
    expect(afterQuietHours(at('2026-11-22T06:59'), night)).to.equal(at('2026-11-22T07:00'))
    expect(afterQuietHours(at('2026-11-21T12:00'), lunch)).to.equal(at('2026-11-21T13:30'))
  })
})
