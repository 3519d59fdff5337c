import { expect } from 'chai'
import { combineSampleTaxes } from './combine-sample-taxes.ts'

const shown = (...ids: number[]) => {
  const { code, name, rate, isIncluded, isRate, terms } = combineSampleTaxes(...ids)!
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
    expect([combineSampleTaxes(6), combineSampleTaxes(10)]).to.deep.equal([null, null])
  })

  it('is mixed where some taxes are included in the price and others are not', () => {
    expect(shown(1, 4)).to.include({ code: 'GCT+GCT-IN', rate: '0.3', isIncluded: false, isRate: false })
    expect(
      [combineSampleTaxes(1, 4), combineSampleTaxes(1, 2), combineSampleTaxes(4), combineSampleTaxes()].map(
        (one) => one!.isMixed,
      ),
    ).to.deep.equal([true, false, false, false])
  })

  it('leaves out taxes of other companies', () => {
    expect(combineSampleTaxes(99)).to.deep.include({ ids: [], code: 'NONE' })
  })
})
