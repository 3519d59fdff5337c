import { expect } from 'chai'
import fc from 'fast-check'
import { selectPage } from '../../../src/catalog/search/select-page.ts'

describe('a page of a set', () => {
  it('is the part of the sorted set, wherever it begins', () => {
    const keys = fc.array(fc.oneof(fc.nat({ max: 3 }), fc.constant(Number.POSITIVE_INFINITY)), { maxLength: 600 })
    fc.assert(
      fc.property(
        keys,
        fc.nat({ max: 600 }),
        fc.nat({ max: 300 }),
        fc.boolean(),
        (keyOf, offset, limit, isReversed) => {
          const ids = keyOf.map((_, id) => id)
          const sorted = ids.toSorted((one, other) =>
            keyOf[one] === keyOf[other] ? other - one : keyOf[one]! - keyOf[other]!,
          )
          const set = Uint32Array.from(isReversed ? ids.toReversed() : ids)
          expect(selectPage(set, (id) => keyOf[id]!, offset, limit)).to.deep.equal(sorted.slice(offset, offset + limit))
        },
      ),
    )
  })
})
