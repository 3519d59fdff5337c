import { statSync } from 'node:fs'
import { expect } from 'chai'
import { createSearchCatalog } from '../../../bench/systems/search-catalog.ts'
import { MirrorDamageError } from '../../../src/catalog/mirror/file/mirror-damage.ts'
import { openMirrorForWriting } from '../../../src/catalog/mirror/file/mirror-file.ts'
import type { MirrorRow } from '../../../src/catalog/mirror/file/mirror-row.ts'
import { openMirrorFileReader } from '../../../src/catalog/mirror/read/mirror-file-reader.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror } from '../test-mirror.ts'

const tax = { sku: 'S-1', code: 'VAT', name: 'VAT 15 %', rate: '0.15' }
const rows: Record<string, MirrorRow> = {
  'a product with all its parts': {
    ...toRow('S-1', {
      product: { name: 'Été "1"', brand: 'Émile', mpn: 'M-1', media: null, tags: ['b', 'a'], description: '' },
      categories: ['Pads', 'Brakes'],
      listPrice: '12.50',
      tax,
      price_as_of: '2026-03-02T12:00:00.000Z',
      stock_as_of: '2026-03-02T12:00:01.000Z',
    }),
    availability: { band: 'LEAD_TIME', eta: '2026-04-01' },
  },
  'a product that has no price, tax or band': toRow('S-1', { band: null }),
  'a variant': toRow('S-1', {
    product: {
      variant_of: { parent_id: 'P\n1', name: 'Öl "5W"' },
      options: [{ name: 'Size', value: '5 l' }],
    },
    listPrice: '2.00',
  }),
  'a withdrawn product': toRow('S-1', { product: { active: false }, listPrice: '1.00' }),
  'parts that were not read yet': {
    ...toRow('S-1'),
    price: undefined,
    tax: undefined,
    availability: undefined,
  } as never,
  'a price that is more than its list price': {
    ...toRow('S-1', { listPrice: '2.00' }),
    price: {
      ...toRow('S-1', { listPrice: '2.00' }).price!,
      amount: '1.50',
      breaks: [{ min_quantity: '5', amount: '1.00' }],
    },
  },
  'members that no column has': toRow('S-1', { product: { weight: 7 } as object, tax: { ...tax, note: 'x' } as never }),
  'a product without some members': toRow('S-1', { product: { media: undefined } as never }),
}

describe('the row of a product in a mirror file', () => {
  for (const [title, row] of Object.entries(rows))
    it(`has what was written: ${title}`, () => {
      using mirror = openTestMirror()
      mirror.write([row])
      using reader = openMirrorFileReader(mirror.path, 1_000_000)!
      const { product, price, price_as_of, tax, availability, stock_as_of } = row
      const expected = { product, price, price_as_of, tax, availability, stock_as_of }
      expect(reader.products(['S-1'])).to.deep.equal([JSON.parse(JSON.stringify(expected))])
    })

  it('and all that products are found by takes less than 1,200 bytes', () => {
    using mirror = openTestMirror()
    const products = 4_000
    const catalog = createSearchCatalog({ products, vehicles: 200, fitsPerProduct: 5 })
    const batches = [...catalog.batches()]
    mirror.writer.apply({ sequence: 1, categories: catalog.categories, vehicles: catalog.vehicles })
    for (const [index, batch] of batches.entries())
      mirror.write(batch, { fill: index < batches.length - 1 ? 'part' : 'last' })
    mirror.checkpoint()
    expect(statSync(mirror.path).size / products).to.be.below(1_200)
  })
})

describe('the texts of a product in a mirror file', () => {
  it('are refused when their bytes were overwritten', () => {
    using mirror = openTestMirror()
    mirror.write([toRow('S-1', { product: { description: 'Pads' }, listPrice: '12.50', tax })])
    using reader = openMirrorFileReader(mirror.path, 1_000_000)!
    expect(reader.text('S-1')?.product.price?.amount).to.equal('"12.50"')
    const database = openMirrorForWriting(mirror.path)
    database.exec(`UPDATE products SET price = replace(price, '12', '13')`)
    database.close()
    expect(() => reader.texts([1])).to.throw(MirrorDamageError)
  })

  it('say whether it has references, or others name it in theirs', () => {
    using mirror = openTestMirror()
    const number = (kind: 'OEM' | 'SUPERSEDES', number: string) => ({ kind, brand: null, number, customer_id: null })
    mirror.write([
      toRow('A-1', { listPrice: '1.00', references: [number('OEM', 'N 1')] }),
      toRow('B-2', { listPrice: '1.00', references: [number('SUPERSEDES', 'c3')] }),
      toRow('C-3', { listPrice: '1.00' }),
      toRow('N-1', { listPrice: '1.00' }),
      toRow('D-4', { listPrice: '1.00' }),
    ])
    using reader = openMirrorFileReader(mirror.path, 1_000_000)!
    const found = ['A-1', 'B-2', 'C-3', 'N-1', 'D-4', 'E-5'].map((sku) => reader.text(sku))
    expect(found.map((one) => one && [one.product.sku, one.hasReferences])).to.deep.equal([
      ['A-1', true],
      ['B-2', true],
      ['C-3', true],
      ['N-1', true],
      ['D-4', false],
      null,
    ])
  })

  it('are in the order of the ids, without withdrawn products', () => {
    using mirror = openTestMirror()
    const rows = ['A', 'B', 'C'].map((sku) => toRow(sku, { product: { active: sku !== 'B' }, listPrice: '1.00' }))
    mirror.write(rows)
    using reader = openMirrorFileReader(mirror.path, 1_000_000)!
    expect(reader.texts([3, 2, 9, 1])?.map(({ sku }) => sku)).to.deep.equal(['C', 'A'])
    expect(reader.skusOf([3, 2, 9, 1])).to.deep.equal(['C', 'B', 'A'])
  })
})
