import { expect } from 'chai'
import { formatTime, parseLocalTime } from '../../../src/console/text/format-times.ts'

const NOW = Date.parse('2026-11-21T19:30:00.000Z')

describe('the times of a page', () => {
  it('are in the time zone of the merchant, with the date if it is not today', () => {
    const format = (at: string, zone = 'America/Jamaica') => formatTime(at, zone, NOW).text
    expect([
      format('2026-11-21T19:05:07.123Z'),
      format('2026-11-21T04:05:07.123Z'),
      format('2026-11-21T19:05:07.123Z', 'Asia/Tokyo'),
      formatTime('2026-11-21T19:05:07.123Z', 'Asia/Tokyo', NOW).iso,
    ]).to.deep.equal(['14:05:07 GMT-5', '20 Nov 2026, 23:05:07 GMT-5', '04:05:07 GMT+9', '2026-11-21T19:05:07.123Z'])
  })

  it('are parsed in the time zone of the merchant', () => {
    const parse = (text: string | null, zone = 'America/Jamaica') => parseLocalTime(text, zone)
    expect(parse('2026-11-21T14:05')).to.equal(Date.parse('2026-11-21T19:05:00.000Z'))
    expect(parse('2026-11-21T14:05', 'Asia/Tokyo')).to.equal(Date.parse('2026-11-21T05:05:00.000Z'))
    expect([null, '', 'lunch', '2026-13-45T99:99'].map((text) => parse(text))).to.deep.equal([null, null, null, null])
  })

  it('are not parsed if they have no year of four digits, which RFC 3339 requires', () => {
    const texts = [
      '+275760-09-13T00:00',
      '-271821-04-20T00:00',
      '-000001-01-01T00:00',
      '0000-01-01T00:00',
      '+010000-01-01T00:00',
    ]
    expect(texts.map((text) => parseLocalTime(text, 'UTC'))).to.deep.equal([null, null, null, null, null])
    expect(parseLocalTime('9999-12-31T23:59', 'America/Jamaica'), 'in UTC, the next year').to.equal(null)
  })
})
