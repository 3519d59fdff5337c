import { expect } from 'chai'
import { formatDurationBetween } from '../../../src/console/text/format-durations.ts'

const at = (time: string) => Date.parse(`2026-11-21T${time}Z`)

describe('formatDurationBetween', () => {
  it('is the difference of two clock times as a page shows them, without fractions of seconds', () => {
    expect(formatDurationBetween(at('13:21:53.986'), at('13:23:56.000'))).to.equal('2 min 3 s')
    expect(formatDurationBetween(at('13:21:53.000'), at('13:21:53.999'))).to.equal('under 1 s')
    expect(formatDurationBetween(at('13:21:53.999'), at('13:21:54.000'))).to.equal('1 s')
  })

  it('is never negative', () => {
    expect(formatDurationBetween(at('13:21:54.000'), at('13:21:53.000'))).to.equal('under 1 s')
  })
})
