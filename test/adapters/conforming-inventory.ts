import { expect } from 'chai'
import type { Item, ProductQuery } from '../../src/ports/inventory.ts'
import { conformingVehicles } from './conforming-vehicles.ts'
import { BOTH, call, failsWell, type Ports, type Subject } from './subject.ts'

const skusOf = (items: readonly Item[]) => items.map(({ sku }) => sku)

export function conformingInventory(subject: () => Subject): void {
  const facts = () => subject().facts
  const inventory = () => subject().inventory
  const found = async (query: Partial<ProductQuery>, parts = { product: true, stock: false }) =>
    (await inventory()?.search({ limit: 50, offset: 0, ...query }, parts, call())) ?? {
      items: [],
      total: 0,
      has_more: false,
    }

  describe('inventory.items', () => {
    it('answers known SKUs once each and leaves out unknown ones', async () => {
      const { skus, unknownSku, awkwardSkus = [] } = facts()
      const wanted = [...skus, ...awkwardSkus]
      const items = await inventory()?.items([unknownSku, ...wanted, skus[0]], BOTH, call())
      if (items) expect(skusOf(items).sort()).to.deep.equal([...wanted].sort())
    })

    it('answers the parts that were asked for, and no other', async () => {
      const { skus } = facts()
      for (const parts of [BOTH, { product: true, stock: false }, { product: false, stock: true }]) {
        for (const item of (await inventory()?.items(skus, parts, call())) ?? []) {
          expect(Object.keys(item).sort()).to.deep.equal(
            ['sku', ...Object.keys(parts).filter((part) => parts[part as keyof typeof parts])].sort(),
          )
        }
      }
    })

    it('answers products whole and no member more', async () => {
      for (const { sku, product } of (await inventory()?.items(facts().skus, BOTH, call())) ?? []) {
        expect(product).to.have.all.keys(
          ...['sku', 'name', 'slug', 'description', 'brand', 'mpn', 'barcode', 'media', 'categories', 'tags'],
          ...['uom', 'order_uoms', 'active', 'updated_at'],
        )
        expect(product).to.include({ sku, active: true })
        expect(product!.updated_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
        expect(product!.name).to.not.equal('')
        expect(product!.slug).to.not.equal('')
        for (const { factor, min, increment } of product!.order_uoms) {
          for (const decimal of [factor, min, increment]) expect(decimal).to.match(/^\d+(\.\d+)?$/)
        }
        for (const { thumb_url, large_url } of product!.media ?? []) {
          for (const url of [thumb_url, large_url]) expect(url).to.match(/^https?:\/\//)
        }
      }
    })

    it('answers stock as a number with its receipts, or null', async () => {
      const items = (await inventory()?.items(facts().skus, BOTH, call())) ?? []
      for (const { stock } of items) {
        if (stock === null) continue
        expect(stock).to.have.all.keys('available', 'expected')
        expect(stock!.available).to.be.a('number')
      }
      const { expectedSku } = facts()
      if (!expectedSku) return
      const [coming] = (await inventory()?.items([expectedSku], BOTH, call())) ?? []
      expect(coming?.stock?.expected).to.have.lengthOf.at.least(1)
      for (const receipt of coming!.stock!.expected) {
        expect(receipt.date).to.match(/^\d{4}-\d\d-\d\d$/)
        expect(receipt.quantity).to.be.greaterThan(0)
      }
    })

    it('answers deactivated products as such', async () => {
      const { deactivatedSku } = facts()
      if (!deactivatedSku) return
      const [item] = (await inventory()?.items([deactivatedSku], BOTH, call())) ?? []
      expect(item?.product).to.include({ sku: deactivatedSku, active: false })
    })

    it('takes as many SKUs as it says, and none', async () => {
      const port = inventory()
      if (!port) return
      const many = Array.from({ length: port.maxSkus - 1 }, (_, i) => `${facts().unknownSku}-${i}`)
      expect(skusOf(await port.items([...many, facts().skus[0]], BOTH, call()))).to.deep.equal([facts().skus[0]])
      expect(await port.items([], BOTH, call())).to.deep.equal([])
    })
  })

  describe('inventory.search', () => {
    it('pages without overlap, and says when there is more', async () => {
      const whole = await found({ limit: 6 })
      const halves = [await found({ limit: 3 }), await found({ limit: 3, offset: 3 })]
      expect(halves.flatMap(({ items }) => skusOf(items))).to.deep.equal(skusOf(whole.items))
      expect(new Set(skusOf(whole.items)).size).to.equal(whole.items.length)
      if (inventory()) expect(halves[0]!.has_more).to.equal(true)
      const past = await found({ offset: 1_000_000 })
      expect([past.items, past.has_more]).to.deep.equal([[], false])
    })

    it('answers active products alone', async () => {
      for (const { product } of (await found({})).items) expect(product?.active).to.equal(true)
    })

    it('finds words whatever their case', async () => {
      const { search } = facts()
      if (!search) return
      for (const q of [search.q, search.q.toUpperCase(), search.q.toLowerCase()]) {
        expect(skusOf((await found({ q })).items), q).to.include(search.sku)
      }
      expect((await found({ q: 'zxqj-no-such-word' })).items).to.deep.equal([])
    })

    it('filters by category (id or slug) and by tag', async () => {
      const { category, tag } = facts()
      if (category) {
        for (const one of [category.category_id, category.slug]) {
          expect(skusOf((await found({ category: one, limit: 200 })).items), one).to.include(category.sku)
        }
        expect((await found({ category: 'zxqj-no-such-category' })).items).to.deep.equal([])
      }
      if (tag) expect(skusOf((await found({ tag: tag.tag, limit: 200 })).items)).to.include(tag.sku)
    })

    it('answers what changed since a moment, that moment included, in the order of change and SKU', async () => {
      const since = '2000-01-01T00:00:00.000Z'
      const { items } = await found({ updated_since: since, limit: 50 })
      const keys = items.map(({ sku, product }) => [Date.parse(product!.updated_at), sku] as const)
      const ordered = keys.toSorted(([a, x], [b, y]) => a - b || (x < y ? -1 : x > y ? 1 : 0))
      expect(keys).to.deep.equal(ordered)
      const last = items.at(-1)
      if (!last) return
      const again = await found({ updated_since: last.product!.updated_at, limit: 200 })
      expect(skusOf(again.items)).to.include(last.sku)
      for (const { product } of again.items) expect(product!.updated_at >= last.product!.updated_at).to.equal(true)
      expect((await found({ updated_since: '2999-01-01T00:00:00.000Z' })).items).to.deep.equal([])
    })
  })

  describe('inventory.categories and tags', () => {
    it('answers each category once, under one that exists', async () => {
      const categories = (await inventory()?.categories(call())) ?? []
      const ids = new Set(categories.map(({ category_id }) => category_id))
      expect(ids.size).to.equal(categories.length)
      for (const category of categories) {
        expect(category).to.have.all.keys('category_id', 'name', 'slug', 'parent_id', 'position', 'product_count')
        if (category.parent_id !== null) expect(ids.has(category.parent_id), category.name).to.equal(true)
      }
      const { category } = facts()
      if (category) expect(ids).to.include(category.category_id)
    })

    it('answers tags with counts or null', async () => {
      for (const tag of (await inventory()?.tags?.(call())) ?? []) expect(tag).to.have.all.keys('tag', 'name', 'count')
    })
  })

  conformingVehicles(subject)

  describe('inventory, when things go wrong', () => {
    failsWell(
      ({ inventory }: Ports, asked) =>
        inventory
          ? [
              inventory.items(['A'], BOTH, asked),
              inventory.search({ limit: 1, offset: 0 }, BOTH, asked),
              inventory.categories(asked),
            ]
          : [],
      subject,
    )
  })
}
