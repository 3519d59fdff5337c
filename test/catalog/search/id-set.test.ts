import { expect } from 'chai'
import fc from 'fast-check'
import { intersect, sortUnique, subtract, toMembership, unite } from '../../../src/catalog/search/id-set.ts'
import {
  BLOCK_SIZE,
  changeBlock,
  type IdBlock,
  readBlocks,
  toBlockBytes,
} from '../../../src/catalog/search/words/id-blocks.ts'

/** Ids near each other and far apart, few and many. */
const anySet = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.array(fc.nat({ max: 5_000 }), { maxLength: 300 }), fc.nat({ max: 6_000 }))
  .map(([step, single, run]) => {
    const ids = [...single.map((id) => 1 + id * step), ...Array.from({ length: run }, (_, at) => 1_000 + at)]
    return Uint32Array.from(new Set(ids)).sort()
  })
const sorted = (ids: Iterable<number>) => [...new Set(ids)].sort((one, other) => one - other)

describe('sets of ids', () => {
  it('intersect, unite and subtract as sets do', () => {
    fc.assert(
      fc.property(fc.array(anySet, { minLength: 1, maxLength: 4 }), (sets) => {
        const [first, ...others] = sets
        const inAll = [...first!].filter((id) => others.every((ids) => ids.includes(id)))
        expect([...intersect(sets)]).to.deep.equal(inAll)
        // The second time, common sets have their bitmaps.
        expect([...intersect(sets)]).to.deep.equal(inAll)
        expect([...unite(sets)]).to.deep.equal(sorted(sets.flatMap((ids) => [...ids])))
        expect([...sortUnique(Uint32Array.from(sets.flatMap((ids) => [...ids])))]).to.deep.equal(
          sorted(sets.flatMap((ids) => [...ids])),
        )
        const last = sets.at(-1)!
        expect([...subtract(first!, last)]).to.deep.equal([...first!].filter((id) => !last.includes(id)))
        expect([...first!].filter(toMembership(last))).to.deep.equal([...first!].filter((id) => last.includes(id)))
      }),
      { numRuns: 40 },
    )
  })

  it('are the same after they were written in blocks, and changed', () => {
    const changes = fc.array(fc.tuple(fc.nat({ max: BLOCK_SIZE - 1 }), fc.boolean()), { maxLength: 20 })
    fc.assert(
      fc.property(anySet, fc.nat({ max: 3 }), changes, (ids, block, changed) => {
        const first = block * BLOCK_SIZE
        const offsets = [...ids].filter((id) => id < BLOCK_SIZE)
        const stored: IdBlock = { block, count: offsets.length, ids: toBlockBytes(offsets) }
        expect([...readBlocks([stored])]).to.deep.equal(offsets.map((offset) => first + offset))
        const expected = new Set(offsets)
        for (const [offset, isAdded] of changed) expected[isAdded ? 'add' : 'delete'](offset)
        const written = changeBlock(stored, new Map(changed.map(([offset, isAdded]) => [first + offset, isAdded])))
        expect(written === null).to.equal(expected.size === 0)
        if (!written) return
        expect(written.count).to.equal(expected.size)
        expect([...readBlocks([written])]).to.deep.equal(sorted(expected).map((offset) => first + offset))
        expect(written.ids.length).to.be.at.most(Math.min(expected.size * 2, BLOCK_SIZE / 8))
      }),
      { numRuns: 100 },
    )
  })

  it('become bitmaps, and lists again, where they take as much space', () => {
    const offsets = Array.from({ length: 2_047 }, (_, index) => index * 16)
    const stored: IdBlock = { block: 0, count: offsets.length, ids: toBlockBytes(offsets) }
    const bitmap = changeBlock(stored, new Map([[5, true]]))!
    expect(bitmap.ids.length).to.equal(BLOCK_SIZE / 8)
    expect([...readBlocks([bitmap])]).to.deep.equal(sorted([...offsets, 5]))
    expect(changeBlock(bitmap, new Map([[5, false]]))).to.deep.equal(stored)
    const none = new Map([...offsets, 5].map((offset) => [offset, false]))
    expect(changeBlock(bitmap, none)).to.equal(null)
  })
})
