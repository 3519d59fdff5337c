import { expect } from 'chai'
import { computeSaleTotals } from '../../../adapters/tryton/pricing/sale-totals.ts'
import { createOrderDraft } from '../conformance/order-draft.ts'

describe('tryton: totals', () => {
  const line = (unitPrice: string, quantity: string) =>
    createOrderDraft({ reference: 'r', customerId: '3', goods: { sku: 'A', uom: 'u', unitPrice }, quantity }).lines[0]!

  it('round halves to even digits, the tax per line or per document', () => {
    // 990.225 and 1100.30 × 0.15 = 165.045 lie just between two cents.
    expect(computeSaleTotals([line('990.225', '1')], 2)).to.deep.equal([
      { untaxed: '990.22', tax: '148.53' },
      { untaxed: '990.22', tax: '148.53' },
    ])
    expect(computeSaleTotals([line('1100.30', '1')], 2)[0]).to.deep.equal({ untaxed: '1100.30', tax: '165.04' })
    const [byLine, byDocument] = computeSaleTotals([line('0.23', '1'), line('0.23', '1'), line('0.23', '1')], 2)
    expect([byLine!.tax, byDocument!.tax]).to.deep.equal(['0.09', '0.10'])
  })
})
