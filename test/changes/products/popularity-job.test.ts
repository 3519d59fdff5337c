import { expect } from 'chai'
import type { ChangeJobContext } from '../../../src/changes/feed/change-job.ts'
import { createPopularityJob } from '../../../src/changes/products/popularity-job.ts'
import { putCatalogParts } from '../../../src/storage/catalog/catalog-products.ts'
import { tenantColumns } from '../../../src/storage/tenant-columns.ts'
import { transact } from '../../../src/storage/transact.ts'
import type { Tenant } from '../../../src/tenant.ts'
import { stores } from '../../support/stores.ts'
import { createFakeSystems, type FakeSystems } from '../fake-systems.ts'
import { acme, details, listSkus, type MirrorMachines, type MirrorProcess, openMachines } from '../mirror-machines.ts'
import { readEventLines } from '../read-events.ts'
import { createTestFeed, toFeedTenant } from '../test-feed.ts'

const DAY_MS = 86_400_000
type Status = 'PENDING' | 'CONFIRMED' | 'REJECTED' | 'CANCELLED'

for (const store of stores()) {
  describe(`the popularity of products on ${store.name}`, () => {
    let machines: MirrorMachines
    let systems: FakeSystems
    let orders: number

    beforeEach(async () => {
      machines = await openMachines(store)
      systems = createFakeSystems()
      orders = 0
      await machines.put(['A', 'B', 'C', 'D'].map((sku) => details(sku)))
    })
    afterEach(() => machines[Symbol.asyncDispose]())

    async function order(skus: string[], { status = 'CONFIRMED' as Status, days = 0, tenant = acme } = {}) {
      orders += 1
      const placed = systems.at(-days * DAY_MS)
      const row = { order_id: `ord_${orders}`, cart_id: `cart_${orders}`, customer_id: 'C-1', draft: draftOf(skus) }
      const times = { leased_until: placed, created_at: placed, updated_at: placed }
      await machines.db
        .insertInto('orders')
        .values({ ...row, ...tenantColumns(tenant), ...times, status, placed: null, told: 1, attempts: 1 })
        .execute()
      return row.order_id
    }
    const draftOf = (skus: string[]) => JSON.stringify({ lines: skus.map((sku) => ({ sku, quantity: '40' })) })
    const setStatus = (id: string, status: Status) =>
      machines.db.updateTable('orders').set({ status }).where('order_id', '=', id).execute()

    /** Runs the jobs of a process that has just started. */
    async function count(rounds = 2, tenants: Tenant[] = [acme]) {
      const upstreams = tenants.map(({ merchant, mode }) => toFeedTenant(systems, merchant, mode))
      await using feed = createTestFeed(machines.db, systems, { upstreams })
      for (let round = 0; round < rounds; round++) {
        systems.now += 1_000
        await feed.tick()
      }
      expect(feed.errors).to.deep.equal([])
    }
    function createJob(db = machines.db) {
      const context = { db, tenant: acme, now: () => systems.now, canContinue: () => true, slowIntervalMs: 0 }
      return createPopularityJob(context as ChangeJobContext)
    }
    async function popularities(tenant = acme) {
      const rows = await machines.db
        .selectFrom('catalog_products')
        .select(['sku', 'popularity'])
        .where((eb) => eb.and({ ...tenantColumns(tenant) }))
        .where('popularity', '>', 0)
        .orderBy('sku')
        .execute()
      return Object.fromEntries(rows.map(({ sku, popularity }) => [sku, popularity]))
    }

    it('rises with each doubling of the orders that contain it, whatever their quantities', async () => {
      const expected = { A: 1, B: 2, C: 2, D: 3 }
      for (const [sku, times] of Object.entries({ A: 1, B: 2, C: 3, D: 4 }))
        for (let time = 0; time < times; time++) await order([sku, sku])
      await count()
      expect(await popularities()).to.deep.equal(expected)
      await count()
      expect(await popularities(), 'once for each order').to.deep.equal(expected)
    })

    it('counts an order once accounting has confirmed it, and no longer when it is cancelled', async () => {
      const id = await order(['A'], { status: 'PENDING' })
      await order(['B'], { status: 'REJECTED' })
      await order(['C'], { status: 'CANCELLED' })
      await count()
      expect(await popularities()).to.deep.equal({})
      await setStatus(id, 'CONFIRMED')
      await count()
      expect(await popularities()).to.deep.equal({ A: 1 })
      await setStatus(id, 'CANCELLED')
      await count()
      expect(await popularities()).to.deep.equal({})
    })

    it('forgets an order after thirteen weeks, also one that was archived before', async () => {
      await order(['A'], { days: 83 })
      await order(['A', 'B'])
      await order(['C'], { days: 92 })
      await count()
      expect(await popularities()).to.deep.equal({ A: 2, B: 1 })
      await machines.db.deleteFrom('orders').execute()
      systems.now += 9 * DAY_MS
      await count()
      expect(await popularities()).to.deep.equal({ A: 1, B: 1 })
      systems.now += 83 * DAY_MS
      await count()
      expect(await popularities()).to.deep.equal({})
      expect(await machines.db.selectFrom('product_sales').selectAll().execute()).to.deep.equal([])
    })

    it('belongs to the tenant of the orders', async () => {
      const other: Tenant = { merchant: 'acme', mode: 'sandbox' }
      await order(['A'])
      await order(['B'], { tenant: other })
      await count(2, [acme, other])
      expect([await popularities(), await popularities(other)]).to.deep.equal([{ A: 1 }, { B: 1 }])
    })

    it('waits for a product that is not read yet', async () => {
      await order(['LATER'])
      await count()
      await machines.put([details('LATER')])
      expect(await popularities()).to.deep.equal({ LATER: 1 })
    })

    it('counts each order once when two processes count at the same time', async () => {
      for (let index = 0; index < 127; index++) await order(['A', `S-${index}`])
      await Promise.all([createJob().run(), createJob().run()])
      const { A, ...others } = await popularities()
      expect([A, new Set(Object.values(others)), Object.keys(others).length]).to.deep.equal([7, new Set([1]), 127])
    })

    it('reads a few orders at a time, and lets requests pass in between', async () => {
      for (let index = 0; index < 120; index++) await order([`S-${index}`])
      const slices: { orders: number; turn: number }[] = []
      const db = machines.db.withPlugin({
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          const [row] = result.rows
          if (row && 'draft' in row) slices.push({ orders: result.rows.length, turn })
          return result
        },
      })
      const job = createJob(db)
      let turn = 0
      const count = () => {
        turn += 1
        immediate = setImmediate(count)
      }
      let immediate = setImmediate(count)
      do await job.run()
      while (job.hasWork!())
      clearImmediate(immediate)
      expect(slices.map(({ orders }) => orders)).to.deep.equal([25, 25, 25, 25, 20])
      expect(new Set(slices.map((slice) => slice.turn)).size, 'turns of the event loop').to.equal(5)
    })

    let searches = 0
    /** Searches products of the list. A repeated search would be answered from memory. */
    async function search(process: MirrorProcess) {
      searches += 1
      const skus = ['A', 'B', 'C', 'D', `S-${searches}`]
      return (await listSkus(process, { q: 'pad', skus, limit: 9 })).join('')
    }

    it('reorders a list without an event, and without a change of the product for clients that copy the catalog', async () => {
      const process = machines.startProcess('one')
      await count()
      await process.mirror.poll()
      expect(await search(process)).to.equal('DCBA')
      const before = process.mirror.status().sequence
      for (const sku of ['B', 'A', 'A']) await order([sku])
      await count()
      await process.mirror.poll()
      expect(process.mirror.status().sequence).to.be.greaterThan(before)
      expect(process.applied.at(-1), 'lists change, products do not').to.deep.equal([])
      expect(await search(process)).to.equal('ABDC')
      expect(process.mirror.changes({ after: before, limit: 9, offset: 0 }).products).to.deep.equal([])
      expect(await readEventLines(machines.db)).to.deep.equal([])
      await machines.put([details('B', 'brake pad, renamed')])
      await process.mirror.poll()
      expect(await search(process), 'a changed product keeps it').to.equal('ABDC')
      const [changed] = process.mirror.changes({ after: before, limit: 9, offset: 0 }).products
      expect(changed!.product.sku).to.equal('B')
    })

    it('is in a mirror that is filled later, and in one that had only a part of it', async () => {
      await order(['A'])
      await count()
      const process = machines.startProcess('one')
      await process.mirror.poll()
      expect(await search(process)).to.equal('ADCB')
      await transact(machines.db, (transaction) =>
        putCatalogParts(transaction, acme, [{ sku: 'C', popularity: 3 }], systems.at(60_000)),
      )
      await process.mirror.poll()
      expect(await search(process)).to.equal('CADB')
    })
  })
}
