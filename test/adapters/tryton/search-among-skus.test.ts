import { expect } from 'chai'
import { toSearchDomain } from '../../../adapters/tryton/catalog/search-domain.ts'
import { recordedLogin } from '../../support/tryton/connect-tryton.ts'

const table = { categories: new Map(), tags: null }

describe('Tryton, asked among some SKUs', () => {
  it('looks at their codes alone, beside what else is asked', () => {
    const skus = ['PAD-001', '50%_X\\Y/#1']
    expect(toSearchDomain({ skus, limit: 1, offset: 0 }, table, recordedLogin)).to.deep.equal([['code', 'in', skus]])
    expect(toSearchDomain({ skus, q: 'pad', limit: 1, offset: 0 }, table, recordedLogin)).to.have.lengthOf(2)
    expect(toSearchDomain({ skus, tag: 'none', limit: 1, offset: 0 }, table, recordedLogin)).to.equal(null)
  })
})
