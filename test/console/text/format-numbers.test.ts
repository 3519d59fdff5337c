import { expect } from 'chai'
import { formatElapsedMs } from '../../../src/console/text/format-durations.ts'
import { formatCount, formatNumber, formatPercent, pluralize } from '../../../src/console/text/format-numbers.ts'

describe('the numbers of a page', () => {
  it('are 100 % and 0 % only for all and for none', () => {
    const formatted = [0, 0.000_001, 0.005, 0.5, 0.998, 0.999_999, 1].map(formatPercent)
    expect(formatted).to.deep.equal([
      '0\u00a0%',
      '0.01\u00a0%',
      '0.50\u00a0%',
      '50.0\u00a0%',
      '99.8\u00a0%',
      '99.99\u00a0%',
      '100\u00a0%',
    ])
  })

  it('are milliseconds for latencies below ten seconds', () => {
    expect([4.4, 710.3, 1_500, 61_000].map(formatElapsedMs)).to.deep.equal(['4 ms', '710 ms', '1,500 ms', '1 min 1 s'])
  })

  it('have the singular or the plural of a noun', () => {
    const formatted = [0, 1, 2].map((number) => pluralize(number, 'delivery is', 'deliveries are'))
    expect(formatted).to.deep.equal(['deliveries are', 'delivery is', 'deliveries are'])
  })

  it('are grouped by thousands', () => {
    expect([formatNumber(1_234_567), formatCount(1, 'response'), formatCount(0, 'response')]).to.deep.equal([
      '1,234,567',
      '1 response',
      '0 responses',
    ])
  })
})
