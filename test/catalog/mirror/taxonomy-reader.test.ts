import { expect } from 'chai'
import { openMirrorForReading } from '../../../src/catalog/mirror/file/mirror-file.ts'
import { createTaxonomyReader } from '../../../src/catalog/mirror/read/taxonomy-reader.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror } from '../test-mirror.ts'

const toCategory = (category_id: string, position: number) => ({
  category_id,
  name: `Category ${category_id}`,
  slug: `category-${category_id}`,
  parent_id: null,
  position,
  product_count: 1,
})

describe('the categories and tags of a mirror file', () => {
  it('are all read, or only those with some keys', () => {
    using mirror = openTestMirror()
    const [b, a, quoted] = [toCategory('b', 1), toCategory('a', 2), toCategory('"\'', 3)]
    const [sale, safe] = [
      { tag: 'sale', name: 'Sale', count: 3 },
      { tag: 'safe', name: 'Safe', count: null },
    ]
    mirror.write([], { categories: [a, quoted, b], tags: [sale, safe] })
    const database = openMirrorForReading(mirror.path)!
    const { categories, readAllCategories, tags } = createTaxonomyReader(database)
    expect([readAllCategories(), categories([]), categories(['"\'', 'none', 'b'])]).to.deep.equal([
      [quoted, a, b],
      [],
      [quoted, b],
    ])
    expect([tags(), tags([]), tags(['sale', 'none'])]).to.deep.equal([[safe, sale], [], [sale]])
    database.close()
  })

  it('are the same list until a category changes', () => {
    using mirror = openTestMirror()
    mirror.write([], { categories: [toCategory('a', 1)] })
    using database = openMirrorForReading(mirror.path)!
    const { readAllCategories } = createTaxonomyReader(database)
    const list = readAllCategories()
    mirror.write([toRow('S-1')])
    expect(readAllCategories()).to.equal(list)
    mirror.write([], { at: 5_000, categories: [toCategory('a', 1), toCategory('b', 2)] })
    expect(readAllCategories()).to.deep.equal([toCategory('a', 1), toCategory('b', 2)])
  })

  it('are read in parts, from the beginning again when a category has changed', () => {
    using mirror = openTestMirror()
    const many = Array.from({ length: 2_500 }, (_, position) => toCategory(`c-${10_000 + position}`, position))
    const fewer = many.slice(0, 1_500)
    mirror.write([], { categories: many })
    using database = openMirrorForReading(mirror.path)!
    const { readAllCategories } = createTaxonomyReader(database)
    expect([readAllCategories(), readAllCategories(), readAllCategories()]).to.deep.equal([null, null, many])
    mirror.write([], { at: 5_000, categories: many.toReversed() })
    expect(readAllCategories()).to.equal(null)
    mirror.write([], { at: 6_000, categories: fewer })
    expect([readAllCategories(), readAllCategories()]).to.deep.equal([null, fewer])
  })
})
