import { expect } from 'chai'
import type { BoostConfig } from '../../../src/config/mirror-config.ts'
import type { Category } from '../../../src/ports/inventory.ts'
import { type RowParts, toRow } from '../mirror-rows.ts'
import { openTestMirror } from '../test-mirror.ts'

const categoryOf = (name: string, parent: string | null): Category => ({
  category_id: `c-${name}`,
  name,
  slug: name.toLowerCase(),
  parent_id: parent && `c-${parent}`,
  position: 1,
  product_count: null,
})
const tree = [categoryOf('Brakes', null), categoryOf('Pads', 'Brakes'), categoryOf('Oil', null)]

const openBoosted = (boosts: readonly BoostConfig[]) => openTestMirror({ reuseMs: 0, suggestReuseMs: 0, boosts })
const boost = (field: BoostConfig['field'], value: string, by: number): BoostConfig => ({ field, value, boost: by })
const pad = (sku: string, { product, ...parts }: RowParts = {}) =>
  toRow(sku, { ...parts, product: { name: 'wheel pad', ...product } })

describe('the boosts of a merchant', () => {
  it('move the products of a brand, whatever its case and accents, as if they sold twice as much for each step', () => {
    using mirror = openBoosted([boost('brand', 'ÉMILE', 2), boost('brand', 'Harbour', -3)])
    mirror.write([
      pad('EMILE', { product: { brand: 'Emile' } }),
      pad('SELLS', { popularity: 2 }),
      pad('SELLS-MORE', { popularity: 3 }),
      pad('HARBOUR', { product: { brand: 'Harbour' }, popularity: 2 }),
      pad('OTHER', { band: 'OUT' }),
    ])
    expect(mirror.find({}).skus).to.deep.equal(['SELLS-MORE', 'SELLS', 'EMILE', 'OTHER', 'HARBOUR'])
    expect(mirror.suggest({ text: 'whee', limit: 2 }).products.map(({ sku }) => sku)).to.deep.equal([
      'SELLS-MORE',
      'SELLS',
    ])
  })

  it('move the products of a tag, and of a category with its descendants', () => {
    using mirror = openBoosted([boost('category', 'brakes', 1), boost('category', 'c-Oil', 3), boost('tag', 'sale', 2)])
    mirror.write(
      [
        pad('PAD', { categories: ['Pads'] }),
        pad('PAD-ON-SALE', { categories: ['Pads', 'Brakes'], product: { tags: ['sale', 'new'] } }),
        pad('SALE', { product: { tags: ['sale'] } }),
        pad('OIL-ON-SALE', { categories: ['Oil'], product: { tags: ['sale'] } }),
        pad('NONE', { product: { tags: ['new'] } }),
      ],
      { categories: tree },
    )
    expect(mirror.find({}).skus).to.deep.equal(['OIL-ON-SALE', 'PAD-ON-SALE', 'SALE', 'PAD', 'NONE'])
  })

  it('follow a category that moves, and one that is known only after its products', () => {
    using mirror = openBoosted([boost('category', 'brakes', 1)])
    mirror.write([pad('PAD', { categories: ['Pads'] }), pad('OIL', { categories: ['Oil'] }), pad('NONE')])
    expect(mirror.find({}).skus).to.deep.equal(['NONE', 'OIL', 'PAD'])
    mirror.write([], { categories: tree, at: 1_000_000 })
    expect(mirror.find({}).skus).to.deep.equal(['PAD', 'NONE', 'OIL'])
    const moved = [categoryOf('Brakes', null), categoryOf('Pads', null), categoryOf('Oil', 'Brakes')]
    mirror.write([], { categories: moved, at: 1_000_001 })
    expect(mirror.find({}).skus).to.deep.equal(['OIL', 'NONE', 'PAD'])
  })

  it('follow a product that gets another brand or popularity', () => {
    using mirror = openBoosted([boost('brand', 'Ozaki', 1)])
    mirror.write([pad('A', { product: { brand: 'Ozaki' } }), pad('B')])
    expect(mirror.find({}).skus).to.deep.equal(['A', 'B'])
    mirror.write([pad('A'), pad('B', { product: { brand: 'Ozaki' } })])
    expect(mirror.find({}).skus).to.deep.equal(['B', 'A'])
    const unlisted = ['A', 'UNKNOWN'].map((sku) => ({
      sku,
      popularity: 2,
      price_as_of: null,
      stock_as_of: null,
      sequence: 1_000_000,
    }))
    mirror.write([], { unlisted, at: 1_000_000 })
    expect(mirror.find({}).skus).to.deep.equal(['A', 'B'])
  })

  it('change no other order, and no tier of a text', () => {
    using mirror = openBoosted([boost('brand', 'Ozaki', 10), boost('tag', 'sale', -10), boost('tag', 'worst', -10)])
    mirror.write([
      pad('PAD-1', { product: { brand: 'Harbour', tags: ['sale', 'worst'] }, listPrice: '5.00', band: 'OUT' }),
      pad('A', { product: { name: 'a wheel PAD-1', brand: 'Ozaki' }, listPrice: '7.00', popularity: 30 }),
      pad('B', { product: { brand: 'Ozaki', tags: ['sale'] }, listPrice: '6.00' }),
    ])
    expect(mirror.find({ q: 'pad1' }).skus[0]).to.equal('PAD-1')
    expect(mirror.find({ q: 'pad', sort: 'price' }).skus).to.deep.equal(['PAD-1', 'B', 'A'])
    expect(mirror.find({ q: 'pad', sort: '-price' }).skus).to.deep.equal(['A', 'B', 'PAD-1'])
    expect(mirror.find({ q: 'pad', sort: 'name' }).skus).to.deep.equal(['A', 'PAD-1', 'B'])
    expect(mirror.find({ q: 'pad', sort: 'newest' }).skus).to.deep.equal(['B', 'A', 'PAD-1'])
    expect(mirror.find({ q: 'pad' }).skus).to.deep.equal(['A', 'B', 'PAD-1'])
  })

  it('add up to a limit', () => {
    const tags = Array.from({ length: 50 }, (_, index) => `t-${index}`)
    using mirror = openBoosted(tags.map((tag) => boost('tag', tag, -10)))
    mirror.write([
      pad('LOWEST', { product: { tags } }),
      pad('LOW', { product: { tags: tags.slice(0, 4) } }),
      pad('NONE'),
    ])
    expect(mirror.find({}).skus).to.deep.equal(['NONE', 'LOW', 'LOWEST'])
  })
})
