import { expect } from 'chai'
import { setVariables } from '../../src/config/environment/process-environment.ts'
import { formatDate, formatTaxRate } from '../../src/shop/pages/formats.ts'

/** Runs with the clock of another place. */
function inTimeZone<Result>(TZ: string, run: () => Result): Result {
  const usual = Intl.DateTimeFormat().resolvedOptions().timeZone
  setVariables({ TZ })
  try {
    return run()
  } finally {
    setVariables({ TZ: usual })
  }
}

describe('the texts of the shop', () => {
  it('show a day as it is, and a time in the shopper’s own time zone', () => {
    for (const [zone, night] of [
      ['America/Jamaica', 'Nov 4, 2026'],
      ['Asia/Tokyo', 'Nov 5, 2026'],
    ] as const) {
      const shown = inTimeZone(zone, () => ['2026-11-05', '2026-11-05T02:00:00.000Z'].map(formatDate))
      expect(shown, zone).to.deep.equal(['Nov 5, 2026', night])
    }
  })

  it('show a rate of tax without the digits of a binary fraction', () => {
    expect(['0.15', '0.07', '0.165', '0.0825'].map(formatTaxRate)).to.deep.equal(['15 %', '7 %', '16.5 %', '8.25 %'])
  })
})
