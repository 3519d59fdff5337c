import { expect } from 'chai'
import {
  formatCancellation,
  formatRefusal,
  parseCancellation,
  parseRefusal,
} from '../../../adapters/tryton/orders/sale-description.ts'

describe('tryton: the description of a sale', () => {
  it('parses refusals and cancellations', () => {
    const refused = { reason: 'OVER_CREDIT_LIMIT', skus: [], available: '-1.00' } as const
    const cancelled = { at: '2026-11-21T12:00:00.000Z', reason: 'OTHER', note: 'a "note"' }
    expect(parseRefusal(formatRefusal({ ...refused, skus: [] }))).to.deep.equal(refused)
    expect(parseCancellation(formatCancellation(cancelled))).to.deep.equal(cancelled)
    for (const text of [null, '', 'ECOMMERCE', 'ECOMMERCE refused by me', formatCancellation(cancelled)])
      expect(parseRefusal(text), String(text)).to.equal(null)
  })
})
