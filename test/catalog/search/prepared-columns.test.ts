import { expect } from 'chai'
import { openMirrorForReading } from '../../../src/catalog/mirror/file/mirror-file.ts'
import { createSearchEngine } from '../../../src/catalog/search/search-engine.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror } from '../test-mirror.ts'

const PRODUCTS = 1_200
const row = (number: number, sequence: number, brand = 'Ozaki') =>
  toRow(`P-${number}`, { sequence, product: { brand } })
const rows = Array.from({ length: PRODUCTS }, (_, number) => row(number, number + 1))
const isOver = () => true

describe('the columns of a mirror that are read ahead', () => {
  for (const parts of [0, 1, 2, 3])
    it(`have the changes that were made after ${parts} of 3 parts`, () => {
      using mirror = openTestMirror()
      mirror.write(rows)
      const database = openMirrorForReading(mirror.path)!
      const engine = createSearchEngine(database, { reuseMs: 0 })
      const search = () => engine.search({ limit: 1, offset: 0, facets: ['brand'], sort: 'newest' })
      const isRead = Array.from({ length: parts }, () => engine.prepare(isOver))
      expect(isRead).to.deep.equal([false, false, true].slice(0, parts))
      mirror.write([row(0, 5_000, 'Brembo'), row(900, 5_001, 'Brembo'), row(PRODUCTS, 5_002, 'Brembo')])
      const { facets, total } = search()
      expect({ facets, total }).to.deep.equal({
        facets: {
          brand: [
            { value: 'Ozaki', count: PRODUCTS - 2 },
            { value: 'Brembo', count: 3 },
          ],
        },
        total: PRODUCTS + 1,
      })
      expect(engine.prepare(isOver), 'after a search, all are read').to.equal(true)
      mirror.write([row(1, 6_000, 'Brembo')])
      expect(search().facets.brand?.[1]).to.deep.equal({ value: 'Brembo', count: 4 })
      database.close()
    })
})
