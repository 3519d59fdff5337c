import { expect } from 'chai'
import fc from 'fast-check'
import { openMirrorForReading } from '../../../src/catalog/mirror/file/mirror-file.ts'
import { createLiveColumns } from '../../../src/catalog/search/columns/live-columns.ts'
import { countAndFilter } from '../../../src/catalog/search/facets/count-and-filter.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror } from '../test-mirror.ts'

const BRANDS = 30
const TAGS = 40

/** Few products have each brand and each tag, so that filters begin with the products of their values. */
const rows = Array.from({ length: 400 }, (_, at) =>
  toRow(`P-${at}`, {
    product: {
      active: at % 7 !== 0,
      brand: `Brand ${at % BRANDS}`,
      tags: [`tag ${at % TAGS}`, ...(at % 3 === 0 ? [`tag ${(at * 11) % TAGS}`] : [])],
    },
  }),
)

describe('filters that find a small share of the products', () => {
  it('find and count what a test of each product finds', () => {
    using mirror = openTestMirror()
    mirror.write(rows)
    const find = (brands: string[], tags: string[]) =>
      rows.flatMap(({ product, sku }) =>
        product.active && brands.includes(product.brand!) && product.tags.some((tag) => tags.includes(tag))
          ? [sku]
          : [],
      )
    const some = (name: string, count: number) =>
      fc.uniqueArray(
        fc.nat(count).map((number) => `${name} ${number}`),
        { minLength: 1, maxLength: count },
      )
    fc.assert(
      fc.property(some('Brand', BRANDS), some('tag', TAGS), (brands, tags) => {
        const found = mirror.find({ brands, tags, facets: ['brand'], sort: 'newest', limit: 200 })
        expect(found.skus).to.deep.equal(find(brands, tags).toReversed())
        const all = find(
          Array.from({ length: BRANDS }, (_, number) => `Brand ${number}`),
          tags,
        )
        expect(found.facets.brand!.reduce((sum, { count }) => sum + count, 0)).to.equal(all.length)
      }),
    )
  })

  it('keep no list of the whole catalog in memory with a result', () => {
    using mirror = openTestMirror()
    mirror.write(rows)
    using database = openMirrorForReading(mirror.path)!
    const live = createLiveColumns(database, () => ({ of: () => 0, refresh: () => false }))
    live.refresh()
    const [brand] = live.columns.brands.withName('brand 5')
    const { ids } = countAndFilter(live.columns, null, { brand: [brand!] }, [])
    expect(ids).to.have.lengthOf(12)
    expect(ids.buffer.byteLength).to.equal(ids.byteLength)
  })
})
