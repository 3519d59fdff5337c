import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import { adaptPriceToTaxes } from '../../../adapters/odoo/pricing/adapt-price-to-taxes.ts'
import { combineTaxes, type TaxRow } from '../../../adapters/odoo/pricing/combined-tax.ts'

const tax = (id: number, name: string, amount: string, more: Partial<TaxRow> = {}): [number, TaxRow] => [
  id,
  {
    ...{ id, name, label: name, kind: 'percent', amount: new Decimal(amount), order: id, childIds: [] },
    ...{ isIncluded: false, affectsLater: false, isAffected: true, ...more },
  },
]
const included = { isIncluded: true }
const taxes = new Map([
  tax(1, 'GCT', '15'),
  tax(2, 'Levy', '2'),
  tax(3, 'Fee', '2.50', { kind: 'fixed' }),
  tax(4, 'GCT in', '15', included),
  tax(5, 'None', '0'),
  tax(6, 'By code', '0', { kind: null }),
  tax(7, 'State', '0', { kind: 'group', childIds: [9, 8] }),
  tax(8, 'Central', '9'),
  tax(9, 'Local', '8'),
  tax(10, 'Gone', '0', { kind: 'group', childIds: [8, 99] }),
  tax(11, 'Surtax', '10', { affectsLater: true }),
  tax(12, 'After', '20'),
  tax(13, 'In a group', '0', { kind: 'group', childIds: [4] }),
  tax(14, 'Fee in', '1.50', { kind: 'fixed', ...included }),
])
const combine = (...ids: number[]) => combineTaxes(ids, taxes)
const shown = (...ids: number[]) => {
  const { code, name, rate, isIncluded, isRate, terms } = combine(...ids)!
  return { code, name, rate: rate.toFixed(), isIncluded, isRate, terms: terms.map(({ id }) => id) }
}

describe('odoo: taxes', () => {
  it('adds percentages up, and names them together, in the order of Odoo', () => {
    expect(shown(2, 1)).to.deep.equal({
      ...{ code: 'GCT+LEVY', name: 'GCT, Levy', rate: '0.17', isIncluded: false, isRate: false, terms: [1, 2] },
    })
  })

  it('is one rate with one percentage, or none', () => {
    expect(shown(1)).to.include({ code: 'GCT', rate: '0.15', isRate: true })
    expect(shown()).to.include({ code: 'NONE', name: 'No tax', rate: '0', isRate: true })
  })

  it('has the name of a group, and the taxes in it', () => {
    expect(shown(7)).to.deep.equal({
      ...{ code: 'STATE', name: 'State', rate: '0.17', isIncluded: false, isRate: false, terms: [8, 9] },
    })
  })

  it('leaves amounts per unit out of the rate, and taxes a tax that is part of a base', () => {
    expect(shown(1, 3)).to.include({ code: 'GCT+FEE', rate: '0.15', isRate: false })
    expect(shown(3)).to.include({ rate: '0', isRate: false })
    expect(shown(11, 12)).to.include({ rate: '0.32', isRate: false })
  })

  it('is nothing for taxes by code, and for a group with an unknown tax', () => {
    expect([combine(6), combine(10)]).to.deep.equal([null, null])
  })

  it('is mixed where some taxes are included in the price and others are not', () => {
    expect(shown(1, 4)).to.include({ code: 'GCT+GCT-IN', rate: '0.3', isIncluded: false, isRate: false })
    expect([combine(1, 4), combine(1, 2), combine(4), combine()].map((one) => one!.isMixed)).to.deep.equal([
      true,
      false,
      false,
      false,
    ])
  })

  it('adapts a price to mixed taxes by those that are included in it', () => {
    const [from, to] = [combine(4)!, combine(14, 1)!]
    expect(adaptPriceToTaxes(new Decimal('115'), from, to).toFixed(2)).to.equal('101.50')
  })

  it('leaves out taxes of other companies', () => {
    expect(combine(99)).to.deep.include({ ids: [], code: 'NONE' })
  })

  it('takes an included tax out of the price of a customer who does not pay it', () => {
    const adapt = (price: number, from: number[], to: number[]) =>
      adaptPriceToTaxes(new Decimal(price), combine(...from)!, combine(...to)!).toFixed()
    expect(adapt(1150, [4], [5])).to.equal('1000')
    expect(adapt(1150, [4], [4])).to.equal('1150')
    expect(adapt(1150, [1], [5])).to.equal('1150')
    expect(adapt(1150, [4], [14])).to.equal('1001.5')
    expect(adapt(1151.5, [4, 14], [5])).to.equal('1000')
    expect(adapt(1151.5, [4, 14], [1])).to.equal('1000')
  })

  it('keeps the price of a product whose included tax is in a group, as Odoo does', () => {
    expect(adaptPriceToTaxes(new Decimal(1150), combine(13)!, combine(5)!).toFixed()).to.equal('1150')
  })
})
