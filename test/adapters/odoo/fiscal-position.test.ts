import { expect } from 'chai'
import { mapTaxes } from '../../../adapters/odoo/pricing/fiscal-position.ts'

describe('odoo: a fiscal position', () => {
  it('replaces taxes, and removes all when it is empty', () => {
    const position = { id: 1, replacements: new Map([[1, [5]]]), hasTaxes: true }
    expect(mapTaxes([1, 2], position)).to.deep.equal([5, 2])
    expect(mapTaxes([1, 2], { id: 2, replacements: new Map(), hasTaxes: false })).to.deep.equal([])
    expect(mapTaxes([1, 2], null)).to.deep.equal([1, 2])
  })
})
