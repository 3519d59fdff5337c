import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { createSearchCatalog } from '../../../bench/systems/search-catalog.ts'
import type { MirrorRow } from '../../../src/catalog/mirror/file/mirror-row.ts'
import { createMirrorWriter } from '../../../src/catalog/mirror/write/mirror-writer.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror, type TestMirror } from '../test-mirror.ts'

const catalog = createSearchCatalog({ products: 3_000, vehicles: 50, fitsPerProduct: 3 })
const batches = [...catalog.batches()].map((rows): MirrorRow[] => [
  ...rows,
  // A later version of a row, and a withdrawn one.
  { ...rows[0]!, sequence: rows.at(-1)!.sequence + 1, vehicles: [7] },
  { ...rows[1]!, sequence: rows.at(-1)!.sequence + 1, product: { ...rows[1]!.product, active: false } },
])
const { categories, vehicles } = catalog

describe('the fill of an empty mirror file', () => {
  const fill = (mirror: TestMirror, part: MirrorRow[], fill?: 'part' | 'last') =>
    mirror.writer.apply({ sequence: part.at(-1)!.sequence, rows: part, ...(fill && { fill }) })

  it('gives the same file as ordinary writes', () => {
    using ordinary = openTestMirror()
    using filled = openTestMirror()
    for (const mirror of [ordinary, filled]) mirror.writer.apply({ sequence: 1, categories, vehicles })
    for (const rows of batches) fill(ordinary, rows)
    for (const [index, rows] of batches.entries()) fill(filled, rows, index < batches.length - 1 ? 'part' : 'last')
    for (const [name, rows] of Object.entries(dump(ordinary)))
      expect((dump(filled) as never)[name], name).to.deep.equal(rows)
    expect(filled.find({ q: 'brake pads', facets: ['brand'] })).to.deep.equal(
      ordinary.find({ q: 'brake pads', facets: ['brand'] }),
    )
  })

  it('is finished by the first ordinary write after a crash', () => {
    using mirror = openTestMirror()
    mirror.writer.apply({ sequence: 1, categories, vehicles })
    fill(mirror, batches[0]!, 'part')
    expect(mirror.find({ q: 'X1' }).corrected).to.equal(null)
    using database = new DatabaseSync(mirror.path)
    createMirrorWriter(database).apply({ sequence: 10_000, rows: [{ ...toRow('NEW-1'), sequence: 10_000 }] })
    expect(mirror.find({ q: 'SKU-1999' }).skus[0]).to.equal('SKU-1999')
    expect(mirror.find({ q: 'NEW-1' }).total).to.equal(1)
    expect(mirror.find({ vehicleId: 7 }).total).to.be.above(0)
  })

  it('keeps the index by which each process finds what has changed meanwhile', () => {
    using mirror = openTestMirror()
    fill(mirror, batches[0]!, 'part')
    using database = new DatabaseSync(mirror.path)
    const plan = database.prepare(
      'EXPLAIN QUERY PLAN SELECT sku FROM products WHERE sequence > ? ORDER BY sequence LIMIT 9',
    )
    expect(plan.all(1).map(({ detail }) => detail)).to.deep.equal([
      'SEARCH products USING INDEX products_sequence (sequence>?)',
    ])
  })

  it('is ordinary writing into a file that has products', () => {
    using mirror = openTestMirror()
    mirror.write([toRow('OLD-1')])
    fill(mirror, [{ ...toRow('NEW-1'), sequence: 10_000 }], 'part')
    for (const q of ['OLD-1', 'NEW-1']) expect(mirror.find({ q }).total).to.equal(1)
  })

  it('leaves no part of a batch that fails', () => {
    using mirror = openTestMirror()
    const broken = { ...toRow('S-2'), product: null as never }
    expect(() => mirror.writer.apply({ sequence: 2, rows: [toRow('S-1'), broken], fill: 'last' })).to.throw()
    mirror.write([toRow('S-3')])
    expect(mirror.find({}).skus).to.deep.equal(['S-3'])
    expect(mirror.find({ q: 'S-3' }).total).to.equal(1)
  })
})

/** All that is in a file. */
function dump({ path }: TestMirror): object {
  using database = new DatabaseSync(path)
  const all = (sql: string) => database.prepare(sql).all()
  const tables = ['state', 'products', 'numbers', 'shared_values', 'word_ids', 'vehicles', 'categories']
  return {
    ...Object.fromEntries(tables.map((name) => [name, all(`SELECT * FROM ${name} ORDER BY 1, 2`)])),
    // Words that no product has any more may stay.
    spellings: all('SELECT word FROM spellings WHERE word IN (SELECT word FROM word_ids) ORDER BY 1'),
    indexes: all(`SELECT name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY 1`),
  }
}
