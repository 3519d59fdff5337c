import { expect } from 'chai'
import { chunkRows } from '../../src/storage/chunk-rows.ts'

describe('chunked rows', () => {
  it('are complete, in order, and in a few sizes', () => {
    for (const count of [0, 1, 3, 4, 63, 64, 65, 150]) {
      const rows = Array.from({ length: count }, (_, at) => at)
      const chunks = [...chunkRows(rows)]
      expect(chunks.flat()).to.deep.equal(rows)
      expect([64, 16, 4, 1]).to.include.members(chunks.map(({ length }) => length))
    }
    expect([...chunkRows(new Array(150).fill(0))].map(({ length }) => length)).to.deep.equal([64, 64, 16, 4, 1, 1])
  })
})
