import { expect } from 'chai'
import fc from 'fast-check'
import { intersect, sortUnique, subtract, toMembership, unite } from '../../../src/catalog/search/id-set.ts'
import { anyIdSet, sortIds } from './any-id-set.ts'

describe('sets of ids', () => {
  it('intersect, unite and subtract as sets do', () => {
    fc.assert(
      fc.property(fc.array(anyIdSet, { minLength: 1, maxLength: 4 }), (sets) => {
        const [first, ...others] = sets
        const inAll = [...first!].filter((id) => others.every((ids) => ids.includes(id)))
        expect([...intersect(sets)]).to.deep.equal(inAll)
        // The second time, common sets have their bitmaps.
        expect([...intersect(sets)]).to.deep.equal(inAll)
        expect([...unite(sets)]).to.deep.equal(sortIds(sets.flatMap((ids) => [...ids])))
        expect([...sortUnique(Uint32Array.from(sets.flatMap((ids) => [...ids])))]).to.deep.equal(
          sortIds(sets.flatMap((ids) => [...ids])),
        )
        const last = sets.at(-1)!
        expect([...subtract(first!, last)]).to.deep.equal([...first!].filter((id) => !last.includes(id)))
        expect([...first!].filter(toMembership(last))).to.deep.equal([...first!].filter((id) => last.includes(id)))
      }),
      { numRuns: 40 },
    )
  })
})
