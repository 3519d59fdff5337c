import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import { adaptPrice, combineTaxes, mapTaxes, type TaxRow } from '../../../adapters/odoo/pricing/tax-rules.ts'

const tax = (id: number, name: string, rate: string | null, isIncluded = false): [number, TaxRow] => [
  id,
  { id, name, label: name, rate: rate === null ? null : new Decimal(rate), isIncluded },
]
const taxes = new Map([
  tax(1, 'GCT', '0.15'),
  tax(2, 'Levy', '0.02'),
  tax(3, 'Fixed', null),
  tax(4, 'GCT in', '0.15', true),
  tax(5, 'None', '0'),
])

describe('odoo: taxes', () => {
  it('adds percentages up, and names them together', () => {
    const combined = combineTaxes([1, 2], taxes)!
    expect({ ...combined, rate: combined.rate.toFixed() }).to.deep.equal({
      ids: [1, 2],
      code: 'GCT+LEVY',
      name: 'GCT, Levy',
      rate: '0.17',
      isIncluded: false,
    })
  })

  it('has no rate for a fixed amount, nor for included and excluded taxes together', () => {
    expect(combineTaxes([1, 3], taxes)).to.equal(null)
    expect(combineTaxes([1, 4], taxes)).to.equal(null)
  })

  it('leaves out taxes of other companies', () => {
    expect(combineTaxes([99], taxes)).to.deep.include({ ids: [], code: 'NONE' })
  })

  it('replaces taxes by a fiscal position, and removes all by an empty one', () => {
    const position = { id: 1, replacements: new Map([[1, [5]]]), hasTaxes: true }
    expect(mapTaxes([1, 2], position)).to.deep.equal([5, 2])
    expect(mapTaxes([1, 2], { id: 2, replacements: new Map(), hasTaxes: false })).to.deep.equal([])
    expect(mapTaxes([1, 2], null)).to.deep.equal([1, 2])
  })

  it('takes an included tax out of the price of a customer who does not pay it', () => {
    const [included, none, excluded] = [4, 5, 1].map((id) => combineTaxes([id], taxes)!)
    expect(adaptPrice(new Decimal(1150), included!, none!).toFixed()).to.equal('1000')
    expect(adaptPrice(new Decimal(1150), included!, included!).toFixed()).to.equal('1150')
    expect(adaptPrice(new Decimal(1150), excluded!, none!).toFixed()).to.equal('1150')
  })
})
