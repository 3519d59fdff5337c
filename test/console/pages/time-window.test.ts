import { expect } from 'chai'
import { readTimeWindow } from '../../../src/console/pages/time-window.ts'

const NOW = Date.parse('2026-11-28T14:30:00.000Z')
const read = (query: Record<string, string>) => {
  const { during, dated: _, ...window } = readTimeWindow(new URLSearchParams(query), 'UTC', NOW)
  return { ...window, during: during && [during.from, during.to].map((ms) => new Date(ms).toISOString().slice(11, 19)) }
}

describe('the field for a time', () => {
  it('takes a time with seconds, and looks a minute before and after it', () => {
    const around = {
      ...{ at: '2026-11-28T09:21:36', isUnreadable: false, minutes: 1, hasMinutes: false },
      during: ['09:20:36', '09:22:36'],
    }
    for (const at of ['09:21:36', '09:21:36 UTC', '2026-11-28 09:21:36 UTC', ' 2026-11-28 09:21:36 '])
      expect(read({ at }), at).to.deep.equal(around)
    expect(read({ at: '04:21:36', zone: 'America/Jamaica' })).to.deep.equal(around)
  })

  it('looks ten minutes before and after a time without seconds', () => {
    for (const at of ['2026-11-28 09:21', '2026-11-28T09:21', '09:21'])
      expect(read({ at }), at).to.deep.equal({
        ...{ at: '2026-11-28T09:21', isUnreadable: false, minutes: 10, hasMinutes: false },
        during: ['09:11:00', '09:31:00'],
      })
  })

  it('gives a time that was typed without a day its day, in UTC, so that its link is the same time tomorrow', () => {
    const datedOf = (at: string, zone = 'America/New_York', now = NOW) =>
      readTimeWindow(new URLSearchParams({ at, zone }), zone, now).dated
    expect(datedOf('09:21')).to.equal('2026-11-28T14:21Z')
    expect(datedOf('09:21:36')).to.equal('2026-11-28T14:21:36Z')
    expect(datedOf('09:40:00')).to.equal('2026-11-27T14:40:00Z')
    // 1:30 comes twice on this day.
    expect(datedOf('06:30 UTC', 'America/New_York', Date.parse('2026-11-01T08:00:00.000Z'))).to.equal(
      '2026-11-01T06:30Z',
    )
    for (const at of ['2026-11-28T14:21Z', '2026-11-28 09:21', '28 Nov 2026, 09:21:36', '', 'lunch'])
      expect(datedOf(at), at).to.equal(null)
  })

  it('takes the minutes that are given', () => {
    expect(read({ at: '09:21:36', within: '5' })).to.deep.include({ minutes: 5, during: ['09:16:36', '09:26:36'] })
    expect(read({ at: '09:21', within: '2' })).to.deep.include({ minutes: 2, during: ['09:19:00', '09:23:00'] })
  })

  it('says of anything else that it is no time', () => {
    for (const at of ['yesterday', '25:10', '09:21 XYZZ'])
      expect(read({ at }), at).to.deep.include({ at: '', isUnreadable: true, during: null })
    expect(read({})).to.deep.include({ at: '', isUnreadable: false, during: null })
  })
})
