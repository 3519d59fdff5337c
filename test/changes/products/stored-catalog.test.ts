import { expect } from 'chai'
import { rereadCatalog } from '../../../src/changes/schedule/reread-catalog.ts'
import { UpstreamError } from '../../../src/errors.ts'
import type { Product } from '../../../src/ports/inventory.ts'
import { listCatalogParts } from '../../../src/storage/catalog/catalog-part-states.ts'
import { findCatalogProduct } from '../../../src/storage/catalog/mirror-check-queries.ts'
import type { Database } from '../../../src/storage/database.ts'
import { listLeases } from '../../../src/storage/leases.ts'
import type { Tenant } from '../../../src/tenant.ts'
import { stores } from '../../support/stores.ts'
import { createFakeSystems, type FakeSystems } from '../fake-systems.ts'
import { readEventLines } from '../read-events.ts'
import { productOf } from '../sample-products.ts'
import { createTestFeed } from '../test-feed.ts'

const acme: Tenant = { merchant: 'acme', mode: 'sandbox' }

for (const store of stores()) {
  describe(`the store's catalog on ${store.name}`, () => {
    let db: Database
    let systems: FakeSystems

    beforeEach(async () => {
      db = await store.open()
      use(createFakeSystems())
    })
    afterEach(() => store.close())

    function use(chosen: FakeSystems) {
      systems = chosen
      systems.products.rows = [productOf('A', systems.at(-60_000)), productOf('B', systems.at(-50_000))]
      systems.stock.rows = [level('A', 7_654), level('B', 3)]
      systems.amounts = new Map([['A', '10.00']])
    }
    const level = (sku: string, available: number) => ({
      sku,
      stock: { available, expected: [] },
      updated_at: systems.at(),
    })
    function change(sku: string, to: Partial<Product>) {
      systems.now += 1_000
      const row = systems.products.rows.find((product) => product.sku === sku)!
      Object.assign(row, { updated_at: systems.at() }, to)
    }
    async function rounds(feed: { tick(): Promise<void> }, count = 3) {
      for (let round = 0; round < count; round++) {
        systems.now += 6_000
        await feed.tick()
      }
    }
    const readRow = (sku: string) =>
      db.selectFrom('catalog_products').selectAll().where('sku', '=', sku).executeTakeFirstOrThrow()
    async function readParts() {
      const parts = await listCatalogParts(db, acme)
      return Object.fromEntries(parts.map((part) => [part.name, part]))
    }
    const filledParts = async () =>
      Object.values(await readParts())
        .filter(({ filledAt }) => filledAt !== null)
        .map(({ name }) => name)
        .sort()

    it('is read again by a running feed when an operator restarts it', async () => {
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      // A change without a change time.
      systems.products.rows[0]!.name = 'corrected'
      await rounds(feed, 1)
      expect(JSON.parse((await readRow('A')).product!).name).to.not.equal('corrected')
      await rereadCatalog(db, acme, systems.now)
      const { priced_at, taxed_at, fitment_read_at } = await readRow('A')
      expect([priced_at, taxed_at, fitment_read_at]).to.deep.equal([null, null, null])
      expect((await listLeases(db, ['wake:'])).map(({ name }) => name).sort()).to.deep.equal([
        'wake:acme/sandbox/accounting',
        'wake:acme/sandbox/inventory',
        'wake:acme/sandbox/pricing',
      ])
      await rounds(feed, 1)
      expect(JSON.parse((await readRow('A')).product!).name).to.equal('corrected')
      expect(feed.errors).to.deep.equal([])
    })

    it('has every part of each product, and no stock count', async () => {
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      expect(feed.errors).to.deep.equal([])
      const row = await readRow('A')
      expect(JSON.parse(row.product!)).to.deep.equal(systems.products.rows[0])
      expect(JSON.parse(row.availability!)).to.deep.equal({ band: 'IN_STOCK', eta: null })
      expect(JSON.parse(row.price!).amount).to.equal('10.00')
      expect(JSON.parse(row.tax!).rate).to.equal('0.15')
      expect([row.stock_as_of, row.price_as_of]).to.deep.equal([null, null])
      expect((await readRow('B')).price).to.equal('null')
      const rows = await db.selectFrom('catalog_products').selectAll().execute()
      expect(JSON.stringify(rows)).to.not.include('7654')
      expect(await filledParts()).to.deep.equal([
        'categories',
        'prices',
        'products',
        'references',
        'stock',
        'tags',
        'taxes',
      ])
      expect((await readParts()).products!.asOf).to.equal(systems.at())
    })

    it('knows which products have no stock, and reads the stock that follows', async () => {
      systems.stock.rows = [level('A', 20)]
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      expect([(await readRow('A')).availability, (await readRow('B')).availability]).to.deep.equal([
        '{"band":"IN_STOCK","eta":null}',
        'null',
      ])
      systems.products.rows.push(productOf('C', systems.at()))
      await rounds(feed)
      expect((await readRow('C')).availability).to.equal('null')
      systems.stock.rows.push(level('B', 3))
      await rounds(feed)
      expect((await readRow('B')).availability).to.equal('{"band":"LOW","eta":null}')
    })

    it('does not read the stock of a product again and again that the inventory leaves out', async () => {
      systems.stock.rows = [level('A', 20)]
      systems.items = async (skus) =>
        skus.filter((sku) => sku !== 'B').map((sku) => ({ sku, product: systems.products.rows[0]!, stock: null }))
      await using feed = createTestFeed(db, systems)
      const count = 40
      await rounds(feed, count)
      expect((await readRow('B')).availability).to.equal(null)
      // A few times in its first rounds, as fast as the store is.
      expect(systems.itemQueries.filter((skus) => skus.includes('B')).length).to.be.below(count / 2)
    })

    it('keeps the sequence of products that do not change', async () => {
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      const before = await readRow('A')
      await rounds(feed, 12)
      expect((await readRow('A')).sequence).to.equal(before.sequence)
    })

    it('keeps the other parts of a product that is withdrawn, and of one that is deleted', async () => {
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      change('A', { active: false })
      systems.products.rows = systems.products.rows.filter(({ sku }) => sku !== 'B')
      await rounds(feed, 40)
      const [withdrawn, deleted] = [await readRow('A'), await readRow('B')]
      expect([withdrawn.active, JSON.parse(withdrawn.price!).amount]).to.deep.equal([0, '10.00'])
      expect([deleted.active, JSON.parse(deleted.availability!).band]).to.deep.equal([0, 'LOW'])
    })

    it('has the new list price before the event of its change', async () => {
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      systems.now += 1_000
      systems.amounts.set('A', '11.00')
      systems.prices.rows = [{ sku: 'A', updated_at: systems.at() }]
      systems.listPrices = () => Promise.reject(new UpstreamError('unavailable', 'down'))
      await rounds(feed)
      expect(await readEventLines(db)).to.deep.equal([])
      expect((await readParts()).prices).to.include({ failure: 'unavailable' })
      systems.listPrices = null
      systems.now += 120_000
      await rounds(feed, 1)
      expect(await readEventLines(db)).to.deep.equal(['product.updated A'])
      expect(JSON.parse((await readRow('A')).price!).amount).to.equal('11.00')
      await rounds(feed, 1)
      expect((await readParts()).prices).to.include({ failure: null, failingSince: null })
    })

    it('reads the list price of a product again when the product has changed', async () => {
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      systems.amounts.set('A', '12.00')
      change('A', { name: 'Better' })
      await rounds(feed)
      expect(JSON.parse((await readRow('A')).price!).amount).to.equal('12.00')
    })

    it('finds a price that changes without a change time', async () => {
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      systems.amounts.set('A', '13.00')
      await rounds(feed, 12)
      expect(JSON.parse((await readRow('A')).price!).amount).to.equal('13.00')
    })

    it('dates bands and prices of systems without a change feed', async () => {
      use(createFakeSystems({ reportsStock: false, reportsPrices: false }))
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      const row = await readRow('A')
      expect(row.stock_as_of).to.be.a('string')
      expect(row.price_as_of).to.be.a('string')
      expect(await filledParts()).to.include.members(['prices', 'stock'])
    })

    it('keeps the sequence of products that do not change, without a change feed, and their newer times', async () => {
      use(createFakeSystems({ reportsStock: false, reportsPrices: false }))
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      const before = await readRow('A')
      await rounds(feed, 12)
      const after = await readRow('A')
      expect(after.sequence).to.equal(before.sequence)
      expect([after.price_as_of! > before.price_as_of!, after.stock_as_of! > before.stock_as_of!]).to.deep.equal([
        true,
        true,
      ])
      // A rebuild does not compare a product that was read again since.
      expect((await findCatalogProduct(db, acme, 'A'))!.sequence).to.be.above(Number(after.sequence))
      systems.amounts.set('A', '12.00')
      await rounds(feed, 12)
      expect(Number((await readRow('A')).sequence)).to.be.above(Number(before.sequence))
    })

    it('has no prices, taxes and tags of a merchant without them', async () => {
      use(createFakeSystems({ reportsPrices: false }))
      systems.listPrices = () => Promise.reject(new UpstreamError('not_configured', 'not there'))
      Object.assign(systems, { taxRate: null, tags: null })
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      expect(await filledParts()).to.deep.equal(['categories', 'products', 'references', 'stock'])
      expect((await readRow('A')).price).to.equal(null)
    })

    it('is read from the beginning when the mirror is turned on', async () => {
      const off = { merchant: 'acme', mode: 'sandbox' as const, hasMirror: false }
      const backOffice = { changes: systems.changes, today: () => systems.today }
      await using without = createTestFeed(db, systems, { upstreams: [{ ...off, backOffice }] })
      await rounds(without)
      expect(await db.selectFrom('catalog_products').selectAll().execute()).to.deep.equal([])
      await without[Symbol.asyncDispose]()
      systems.now += 60_000
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      expect(JSON.parse((await readRow('A')).product!).name).to.equal('Part A')
      expect(await readEventLines(db)).to.deep.equal([])
      systems.products.queries = []
      await rounds(feed, 1)
      expect(systems.products.queries.every(({ since }) => Date.parse(since) > 0)).to.equal(true)
    })

    it('follows categories and tags', async () => {
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      systems.tags = [{ tag: 'sale', name: 'Sale', count: 1 }]
      change('A', { tags: ['sale'] })
      await rounds(feed)
      const documents = await db.selectFrom('catalog_documents').select(['name', 'document']).orderBy('name').execute()
      expect(documents).to.deep.equal([
        { name: 'categories', document: '[]' },
        { name: 'tags', document: JSON.stringify(systems.tags) },
      ])
    })
  })
}
