import { expect } from 'chai'
import { ruleChangedAt } from '../../../adapters/odoo/pricing/price-changes.ts'

const NOW = Date.parse('2026-11-28T12:00:00Z')
const changedAt = (date_start: string | false, date_end: string | false) =>
  new Date(ruleChangedAt({ write_date: '2026-11-20 08:00:00', date_start, date_end }, NOW)).toISOString()

describe('odoo: changes of price rules', () => {
  it('are when a rule was written, has begun or has ended', () => {
    expect(changedAt(false, false)).to.equal('2026-11-20T08:00:00.000Z')
    expect(changedAt('2026-11-28 11:00:00', false)).to.equal('2026-11-28T11:00:00.000Z')
    expect(changedAt('2026-11-01 00:00:00', '2026-11-28 11:30:00')).to.equal('2026-11-28T11:30:01.000Z')
  })

  it('are not those that are still to come, nor the second in which a rule still applies', () => {
    expect(changedAt('2026-11-28 12:00:01', '2026-12-31 00:00:00')).to.equal('2026-11-20T08:00:00.000Z')
    expect(changedAt(false, '2026-11-28 12:00:00')).to.equal('2026-11-20T08:00:00.000Z')
  })
})
