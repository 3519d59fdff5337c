import { expect } from 'chai'
import {
  formatCount,
  formatElapsedMs,
  formatNumber,
  formatPercent,
  formatTime,
  parseLocalTime,
  pluralize,
} from '../../../src/console/text/format-times.ts'

const NOW = Date.parse('2026-11-21T19:30:00.000Z')

describe('what a page says of times and shares', () => {
  it('has times where the shop is, with the day when it is another', () => {
    const said = (at: string, zone = 'America/Jamaica') => formatTime(at, zone, NOW).text
    expect([
      said('2026-11-21T19:05:07.123Z'),
      said('2026-11-21T04:05:07.123Z'),
      said('2026-11-21T19:05:07.123Z', 'Asia/Tokyo'),
      formatTime('2026-11-21T19:05:07.123Z', 'Asia/Tokyo', NOW).iso,
    ]).to.deep.equal(['14:05:07 GMT-5', '20 Nov 2026, 23:05:07 GMT-5', '04:05:07 GMT+9', '2026-11-21T19:05:07.123Z'])
  })

  it('reads a time as clocks of the shop show it', () => {
    const read = (text: string | null, zone = 'America/Jamaica') => parseLocalTime(text, zone)
    expect(read('2026-11-21T14:05')).to.equal(Date.parse('2026-11-21T19:05:00.000Z'))
    expect(read('2026-11-21T14:05', 'Asia/Tokyo')).to.equal(Date.parse('2026-11-21T05:05:00.000Z'))
    expect([null, '', 'lunch', '2026-13-45T99:99'].map((text) => read(text))).to.deep.equal([null, null, null, null])
  })

  it('says 100 % and 0 % of all and of none alone', () => {
    const said = [0, 0.000_001, 0.005, 0.5, 0.998, 0.999_999, 1].map(formatPercent)
    expect(said).to.deep.equal([
      '0\u00a0%',
      '0.01\u00a0%',
      '0.50\u00a0%',
      '50.0\u00a0%',
      '99.8\u00a0%',
      '99.99\u00a0%',
      '100\u00a0%',
    ])
  })

  it('has times that are compared in milliseconds', () => {
    expect([4.4, 710.3, 1_500, 61_000].map(formatElapsedMs)).to.deep.equal(['4 ms', '710 ms', '1,500 ms', '1 min 1 s'])
  })

  it('has one of a kind, or several', () => {
    const said = [0, 1, 2].map((number) => pluralize(number, 'delivery is', 'deliveries are'))
    expect(said).to.deep.equal(['deliveries are', 'delivery is', 'deliveries are'])
  })

  it('groups large counts', () => {
    expect([formatNumber(1_234_567), formatCount(1, 'answer'), formatCount(0, 'answer')]).to.deep.equal([
      '1,234,567',
      '1 answer',
      '0 answers',
    ])
  })
})
