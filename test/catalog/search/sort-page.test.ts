import { expect } from 'chai'
import fc from 'fast-check'
import { sortPage } from '../../../src/catalog/search/order/sort-page.ts'

describe('a page of a set', () => {
  it('is the part of the sorted set, wherever it begins', () => {
    const values = fc.array(fc.oneof(fc.nat({ max: 3 }), fc.constant(Number.NaN)), { maxLength: 600 })
    fc.assert(
      fc.property(
        values,
        fc.nat({ max: 600 }),
        fc.nat({ max: 300 }),
        fc.boolean(),
        (column, offset, limit, isDescending) => {
          const keys = column.map((value) => (Number.isNaN(value) ? 9 : isDescending ? -value : value))
          const ids = Uint32Array.from(column.keys())
          const sorted = [...ids].sort((one, other) => keys[one]! - keys[other]! || other - one)
          const order = { column: Float64Array.from(column), isDescending }
          expect(sortPage(ids, order, offset, limit)).to.deep.equal(sorted.slice(offset, offset + limit))
          expect(sortPage(ids, null, offset, limit)).to.deep.equal([...ids].reverse().slice(offset, offset + limit))
          expect([...ids]).to.deep.equal([...column.keys()])
        },
      ),
    )
  })
})
