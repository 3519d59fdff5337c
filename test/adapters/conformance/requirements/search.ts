import { expect } from 'chai'
import type { Product, ProductQuery } from '../../../../src/ports/inventory.ts'
import { createCall } from '../../../support/create-call.ts'
import { BOTH_ITEM_PARTS } from '../both-item-parts.ts'
import { readEveryPage } from '../read-every-page.ts'
import { requirementsOf } from '../requirement.ts'
import type { TestBench } from '../test-bench.ts'
import { skusOf } from './items.ts'

const PRODUCT = { product: true, stock: false }
const EPOCH = '2000-01-01T00:00:00.000Z'
const NO_WORD = 'zxqj-no-such-word'
const NO_CATEGORY = 'zxqj-no-such-category'

const found = ({ inventory }: TestBench, query: Partial<ProductQuery>, parts = PRODUCT) =>
  inventory.search({ limit: 200, offset: 0, ...query }, parts, createCall())
const all = (bench: TestBench, query: Partial<ProductQuery>, limit?: number) =>
  readEveryPage((page) => found(bench, { ...query, ...page }), limit)

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const textOf = ({ sku, name, brand, mpn, barcode, description }: Product) =>
  plain([sku, name, brand, mpn, barcode, description].join(' '))

export const searchRequirements = requirementsOf(
  'inventory.search',
  [
    'pages through all active products, each once, with a correct `has_more`',
    [],
    async (bench) => {
      const whole = await all(bench, {})
      expect(new Set(skusOf(whole)).size).to.equal(whole.length)
      for (const { product } of whole) expect(product!.active).to.equal(true)
      const first = skusOf(whole.slice(0, 6))
      expect(skusOf((await found(bench, { limit: 6 })).items)).to.deep.equal(first)
      const halves = [await found(bench, { limit: 3 }), await found(bench, { limit: 3, offset: 3 })]
      expect(halves.flatMap(({ items }) => skusOf(items))).to.deep.equal(first)
      expect(halves[0]!.has_more).to.equal(true)
      const past = await found(bench, { offset: 1_000_000 })
      expect([past.items, past.has_more]).to.deep.equal([[], false])
    },
  ],
  [
    'returns the same items as `items`, with the requested parts',
    ['inventory.items'],
    async (bench) => {
      for (const parts of [BOTH_ITEM_PARTS, PRODUCT, { product: false, stock: true }]) {
        const { items } = await found(bench, { limit: 20 }, parts)
        const alone = await bench.inventory.items(skusOf(items), parts, createCall())
        expect(alone).to.have.deep.members(items)
      }
    },
  ],
  [
    'finds words in any order, case and accents, and nothing else',
    ['search'],
    async (bench) => {
      const { q, sku } = bench.facts.search
      const accented = q.replace(/a/gi, 'á').replace(/e/gi, 'ê')
      const turned = q.split(' ').reverse().join('  ')
      const whole = await all(bench, { q })
      expect(skusOf(whole)).to.include(sku)
      for (const one of [q.toUpperCase(), q.toLowerCase(), turned, ` ${q} `, accented, plain(q)])
        expect(skusOf(await all(bench, { q: one })).sort(), one).to.deep.equal(skusOf(whole).sort())
      for (const { product } of whole) for (const word of q.split(' ')) expect(textOf(product!)).to.include(plain(word))
      expect((await found(bench, { q: `${q} ${NO_WORD}` })).items).to.deep.equal([])
    },
  ],
  [
    'treats wildcards as plain characters',
    [],
    async (bench) => {
      for (const q of ['%', '_', '*', '\\', "'", '%_'])
        for (const { product } of (await found(bench, { q })).items) expect(textOf(product!), q).to.include(q)
    },
  ],
  [
    'filters by category id or slug, including subcategories',
    ['category', 'inventory.categories'],
    async (bench) => {
      const { category } = bench.facts
      const own = (await bench.inventory.categories(createCall())).find(
        (one) => one.category_id === category.category_id,
      )!
      const parent = own.parent_id!
      const [byId, bySlug, above] = [
        await all(bench, { category: category.category_id }),
        await all(bench, { category: category.slug }),
        await all(bench, { category: parent }),
      ]
      expect(skusOf(byId)).to.include(category.sku)
      expect(skusOf(bySlug)).to.deep.equal(skusOf(byId))
      expect(skusOf(above)).to.include.members(skusOf(byId))
      if (own.product_count !== null) expect(own.product_count).to.equal(byId.length)
      expect((await found(bench, { category: NO_CATEGORY })).items).to.deep.equal([])
    },
  ],
  [
    'filters by tag',
    ['tag'],
    async (bench) => {
      const { tag, sku } = bench.facts.tag
      const tagged = await all(bench, { tag })
      expect(skusOf(tagged)).to.include(sku)
      for (const { product } of tagged) expect(product!.tags).to.include(tag)
      expect((await found(bench, { tag: 'zxqj-no-such-tag' })).items).to.deep.equal([])
    },
  ],
  [
    'searches among given SKUs, and announces the SKUs of a page',
    [],
    async (bench) => {
      const { skus, unknownSku } = bench.facts
      const among = { skus: [unknownSku, ...skus, skus[0]] }
      expect(skusOf(await all(bench, among)).sort()).to.deep.equal([...skus].sort())
      expect(skusOf(await all(bench, among, 2)).sort()).to.deep.equal([...skus].sort())
      expect((await found(bench, { skus: [unknownSku] })).items).to.deep.equal([])
      expect((await found(bench, { skus: [] })).items).to.deep.equal([])
      expect((await found(bench, { ...among, q: NO_WORD })).items).to.deep.equal([])
      const coming: string[][] = []
      const query = { ...among, limit: 2, offset: 0 }
      const { items } = await bench.inventory.search(query, BOTH_ITEM_PARTS, createCall(), (said) =>
        coming.push([...said]),
      )
      for (const said of coming) expect(said).to.deep.equal(skusOf(items))
    },
  ],
  [
    'combines all conditions',
    ['category', 'search'],
    async (bench) => {
      const { search, category } = bench.facts
      const both = skusOf(await all(bench, { q: search.q, category: category.category_id }))
      const [byWord, inside] = [await all(bench, { q: search.q }), await all(bench, { category: category.category_id })]
      const expected = skusOf(byWord).filter((sku) => skusOf(inside).includes(sku))
      expect(both.sort()).to.deep.equal(expected.sort())
      // These find something, and nothing together: a condition that has no effect shows even if each finds the same products.
      for (const [one, other] of [
        [{ q: search.q }, { category: NO_CATEGORY }],
        [{ q: search.q }, { skus: [] }],
        [{ category: category.category_id }, { q: NO_WORD }],
        [{ category: category.category_id }, { skus: [] }],
      ])
        expect((await found(bench, { ...one, ...other })).items, JSON.stringify({ ...one, ...other })).to.deep.equal([])
    },
  ],
  [
    'returns changes since a time (inclusive), ordered by time and SKU',
    [],
    async (bench) => {
      const whole = await all(bench, { updated_since: EPOCH })
      const keys = whole.map(({ sku, product }) => [Date.parse(product!.updated_at), sku] as const)
      const ordered = keys.toSorted(([a, x], [b, y]) => a - b || (x < y ? -1 : x > y ? 1 : 0))
      expect(keys).to.deep.equal(ordered)
      const since = whole.at(-Math.min(7, whole.length))!.product!.updated_at
      const again = await all(bench, { updated_since: since }, 2)
      expect(skusOf(again)).to.deep.equal(skusOf(whole.filter(({ product }) => product!.updated_at >= since)))
      expect((await found(bench, { updated_since: '2999-01-01T00:00:00.000Z' })).items).to.deep.equal([])
    },
  ],
  [
    'includes deactivated products in the changes',
    ['deactivatedSku'],
    async (bench) => {
      const { deactivatedSku } = bench.facts
      const changed = (await all(bench, { updated_since: EPOCH })).find(({ sku }) => sku === deactivatedSku)
      expect(changed?.product?.active).to.equal(false)
    },
  ],
  [
    'returns a change after a watermark as the last one',
    ['clerk.product'],
    async (bench) => {
      const mark = (await all(bench, { updated_since: EPOCH })).at(-1)!.product!.updated_at
      const sku = await bench.clerk.product()
      const since = await all(bench, { updated_since: mark })
      const change = since.find((item) => item.sku === sku)
      expect(skusOf(since)).to.include(sku)
      expect(change!.product!.updated_at >= mark).to.equal(true)
      expect(since.at(-1)!.product!.updated_at).to.equal(change!.product!.updated_at)
    },
  ],
)
