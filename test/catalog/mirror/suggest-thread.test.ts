import { expect } from 'chai'
import { createMirrorThreads } from '../../../src/catalog/mirror/threads/mirror-threads.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror } from '../test-mirror.ts'

describe('suggestions of a mirror thread', () => {
  it('are those of the file', async () => {
    using mirror = openTestMirror()
    await using threads = createMirrorThreads()
    mirror.write([toRow('BP-1', { product: { name: 'Brake pad', brand: 'Brembo' } })])
    expect(await threads.suggest(mirror.path, { text: 'br', limit: 3 })).to.deep.equal({
      products: [{ sku: 'BP-1', name: 'Brake pad', slug: 'bp-1' }],
      categories: [],
      brands: [{ value: 'Brembo', count: 1 }],
      vehicles: [],
      expiresInMs: Number.POSITIVE_INFINITY,
    })
  })
})
