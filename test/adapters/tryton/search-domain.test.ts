import { expect } from 'chai'
import { toSearchDomain } from '../../../adapters/tryton/catalog/search-domain.ts'
import { recordedLogin } from '../../support/tryton/connect-tryton.ts'

describe('tryton: a search', () => {
  const filters = (q: string) =>
    toSearchDomain({ q, limit: 1, offset: 0 }, { categories: new Map(), tags: null }, recordedLogin)!

  it('searches at most ten words of at most 64 characters', () => {
    expect(filters('a '.repeat(5_000))).to.have.length(10)
    const [, [[, , pattern]]] = filters(`${'x'.repeat(63)}🚗🚗`)[0] as [string, [[string, string, string]]]
    expect(pattern).to.equal(`%${'x'.repeat(63)}🚗%`)
  })
})

const table = { categories: new Map(), tags: null }

describe('tryton: a search among given SKUs', () => {
  it('filters by code in addition to the other conditions', () => {
    const skus = ['PAD-001', '50%_X\\Y/#1']
    expect(toSearchDomain({ skus, limit: 1, offset: 0 }, table, recordedLogin)).to.deep.equal([['code', 'in', skus]])
    expect(toSearchDomain({ skus, q: 'pad', limit: 1, offset: 0 }, table, recordedLogin)).to.have.lengthOf(2)
    expect(toSearchDomain({ skus, tag: 'none', limit: 1, offset: 0 }, table, recordedLogin)).to.equal(null)
  })
})
