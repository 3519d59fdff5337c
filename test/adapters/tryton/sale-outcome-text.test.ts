import { expect } from 'chai'
import {
  formatCancellation,
  formatRefusal,
  type OrderRefusal,
  parseCancellation,
  parseRefusal,
  toOutcomeValues,
  withOutcome,
} from '../../../adapters/tryton/orders/sale-outcome-text.ts'

describe('tryton: the description of a sale', () => {
  it('parses refusals and cancellations', () => {
    const refused = { reason: 'OVER_CREDIT_LIMIT', skus: [], available: '-1.00' } as const
    const cancelled = { at: '2026-11-21T12:00:00.000Z', reason: 'OTHER', note: 'a "note"' }
    expect(parseRefusal(formatRefusal({ ...refused, skus: [] }))).to.deep.equal(refused)
    expect(parseCancellation(formatCancellation(cancelled))).to.deep.equal(cancelled)
    for (const text of [null, '', 'ECOMMERCE', 'ECOMMERCE refused by me', formatCancellation(cancelled)])
      expect(parseRefusal(text), String(text)).to.equal(null)
  })

  it('may be the first line of the comment, above the notes for staff', () => {
    const refusal: OrderRefusal = { reason: 'LINE_UNAVAILABLE', skus: ['A\nB'], available: null }
    for (const comment of [null, 'Ring twice.\nContact: Ann']) {
      const sale = { comment, description: 'ECOMMERCE' }
      const stored = { ...sale, ...toOutcomeValues(sale, formatRefusal(refusal), true) }
      expect(stored.description).to.equal('ECOMMERCE')
      expect(parseRefusal(withOutcome(stored).description)).to.deep.equal(refusal)
      expect(withOutcome(stored).comment).to.equal(comment)
      expect(withOutcome(sale)).to.equal(sale)
    }
  })
})
