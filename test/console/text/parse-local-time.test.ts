import { expect } from 'chai'
import { parseLocalTime } from '../../../src/console/text/parse-local-time.ts'

describe('a local time', () => {
  it('is parsed in the time zone of the merchant', () => {
    const parse = (text: string | null, zone = 'America/Jamaica') => parseLocalTime(text, zone)
    expect(parse('2026-11-21T14:05')).to.equal(Date.parse('2026-11-21T19:05:00.000Z'))
    expect(parse('2026-11-21T14:05', 'Asia/Tokyo')).to.equal(Date.parse('2026-11-21T05:05:00.000Z'))
    expect([null, '', 'lunch', '2026-13-45T99:99'].map((text) => parse(text))).to.deep.equal([null, null, null, null])
  })

  it('is not parsed if it has no year of four digits, which RFC 3339 requires', () => {
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
