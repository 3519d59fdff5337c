import { expect } from 'chai'
import type { Category } from '../../../src/ports/inventory.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror } from '../test-mirror.ts'

const category = (category_id: string, name: string, parent_id: string | null = null): Category => ({
  category_id,
  name,
  slug: category_id,
  parent_id,
  position: 0,
  product_count: null,
})
const product = (sku: string, name: string, category_id: string, categoryName: string) =>
  toRow(sku, { product: { name, categories: [{ category_id, name: categoryName, slug: category_id }] } })

const TREE = [
  category('drive', 'Drive and Exhaust'),
  category('exhaust', 'Exhaust', 'drive'),
  category('silencers', 'Silencers', 'exhaust'),
  category('clutches', 'Clutch Kits', 'drive'),
  category('lighting', 'Lighting'),
  category('bulbs', 'Bulbs', 'lighting'),
]
const ROWS = [
  product('S', 'Rear box, Ford Ranger', 'silencers', 'Silencers'),
  product('C', 'Plate set', 'clutches', 'Clutch Kits'),
  product('B', 'H4 lamp', 'bulbs', 'Bulbs'),
]

describe('the name of a category that has subcategories', () => {
  function open(reuseMs = 0, now = () => 0) {
    const mirror = openTestMirror({ reuseMs, suggestReuseMs: 0, now })
    mirror.write(ROWS, { categories: TREE })
    return { mirror, find: (q: string) => mirror.find({ q }).skus.join(' '), [Symbol.dispose]: mirror[Symbol.dispose] }
  }

  it('finds the products of all of them, also without its fillers and beside other words', () => {
    using catalog = open()
    expect(catalog.find('exhaust')).to.equal('S')
    for (const q of ['drive and exhaust', 'Drive & Exhaust', 'exhaust drive'])
      expect(catalog.find(q).split(' '), q).to.have.members(['S', 'C'])
    expect(catalog.find('ranger exhaust')).to.equal('S')
    expect(catalog.find('exhaust h4')).to.equal('')
    expect(catalog.find('drive')).to.equal(catalog.find('drive and exhaust'))
  })

  it('corrects its spelling', () => {
    using catalog = open()
    expect(catalog.mirror.find({ q: 'exhasut' })).to.deep.include({ corrected: 'exhaust', skus: ['S'] })
  })

  it('comes before products that only have its words', () => {
    using catalog = open()
    const named = toRow('N', { product: { name: 'Lighting guide' }, popularity: 9 })
    catalog.mirror.write([named], { at: 2_000_000 })
    expect(catalog.find('lighting')).to.equal('B N')
  })

  it('may be that of several categories', () => {
    using catalog = open()
    const categories = [...TREE, category('more', 'Lighting', 'drive'), category('lamps', 'Lamps', 'more')]
    catalog.mirror.write([product('L', 'Beam', 'lamps', 'Lamps')], { categories, at: 2_000_000 })
    expect(catalog.find('lighting').split(' ')).to.have.members(['B', 'L'])
  })

  it('follows moved, renamed and withdrawn categories and products, of which no product is written again', () => {
    using catalog = open()
    expect([catalog.find('lighting'), catalog.find('exhaust'), catalog.find('optics')]).to.deep.equal(['B', 'S', ''])
    const moved = TREE.map((one) => (one.category_id === 'bulbs' ? { ...one, parent_id: 'exhaust' } : one))
    catalog.mirror.write([], { categories: moved, at: 2_000_000 })
    expect([catalog.find('lighting'), catalog.find('exhaust').split(' ').length]).to.deep.equal(['', 2])
    const renamed = TREE.map((one) => (one.category_id === 'lighting' ? { ...one, name: 'Optics' } : one))
    catalog.mirror.write([], { categories: renamed, at: 3_000_000 })
    expect([catalog.find('lighting'), catalog.find('exhaust'), catalog.find('optics')]).to.deep.equal(['', 'S', 'B'])
    catalog.mirror.write([toRow('B', { product: { active: false }, sequence: 4_000_000 })])
    expect(catalog.find('optics')).to.equal('')
  })

  it('may lag as long as other results do', () => {
    let time = 0
    using catalog = open(500, () => time)
    expect(catalog.find('lighting')).to.equal('B')
    catalog.mirror.write([product('A', 'Lamp', 'bulbs', 'Bulbs')], { at: 2_000_000 })
    time = 500
    expect(catalog.find('lighting')).to.equal('A B')
  })
})
