import { expect } from 'chai'
import { formatTime } from '../../../src/console/text/format-times.ts'

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
})
