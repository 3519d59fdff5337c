import { expect } from 'chai'
import fc from 'fast-check'
import {
  BLOCK_SIZE,
  changeBlock,
  type IdBlock,
  readBlocks,
  toBlockBytes,
} from '../../../src/catalog/search/words/id-blocks.ts'
import { anyIdSet, sortIds } from './any-id-set.ts'

describe('blocks of ids', () => {
  it('have the same ids after they were written and changed', () => {
    const changes = fc.array(fc.tuple(fc.nat({ max: BLOCK_SIZE - 1 }), fc.boolean()), { maxLength: 20 })
    fc.assert(
      fc.property(anyIdSet, fc.nat({ max: 3 }), changes, (ids, block, changed) => {
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
        expect([...readBlocks([written])]).to.deep.equal(sortIds(expected).map((offset) => first + offset))
        expect(written.ids.length).to.be.at.most(Math.min(expected.size * 2, BLOCK_SIZE / 8))
      }),
      { numRuns: 100 },
    )
  })

  it('become bitmaps, and lists again, where these take as much space', () => {
    const offsets = Array.from({ length: 2_047 }, (_, index) => index * 16)
    const stored: IdBlock = { block: 0, count: offsets.length, ids: toBlockBytes(offsets) }
    const bitmap = changeBlock(stored, new Map([[5, true]]))!
    expect(bitmap.ids.length).to.equal(BLOCK_SIZE / 8)
    expect([...readBlocks([bitmap])]).to.deep.equal(sortIds([...offsets, 5]))
    expect(changeBlock(bitmap, new Map([[5, false]]))).to.deep.equal(stored)
    const none = new Map([...offsets, 5].map((offset) => [offset, false]))
    expect(changeBlock(bitmap, none)).to.equal(null)
  })
})
