import { expect } from 'chai'
import { createOtherProcessChangePoller } from '../../../src/changes/feed/other-process-change-poller.ts'
import type { Product, Stock } from '../../../src/ports/inventory.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tenantKey } from '../../../src/tenant.ts'
import { stores } from '../../support/stores.ts'
import { createFakeSystems, type FakeSystems } from '../fake-systems.ts'
import { readEventData, readEventLines } from '../read-events.ts'
import { productOf } from '../sample-products.ts'
import { createTestFeed, type ReportedChange } from '../test-feed.ts'

for (const store of stores()) {
  describe(`catalog changes on ${store.name}`, () => {
    let db: Database
    let systems: FakeSystems

    beforeEach(async () => {
      db = await store.open()
      systems = createFakeSystems()
      systems.products.rows = [productOf('A', systems.at(-60_000)), productOf('B', systems.at(-50_000))]
      systems.stock.rows = [level('A', 20), level('B', 20)]
      systems.prices.rows = [{ sku: 'A', updated_at: systems.at(-60_000) }]
    })
    afterEach(() => store.close())

    function level(sku: string, available: number, expected: Stock['expected'] = []) {
      return { sku, stock: { available, expected }, updated_at: systems.at() }
    }
    function change(sku: string, to: Partial<Product>) {
      const before = systems.products.rows.findLast((row) => row.sku === sku)!
      systems.now += 1_000
      systems.products.rows = systems.products.rows.filter((row) => row.sku !== sku)
      systems.products.rows.push({ ...before, updated_at: systems.at(), ...to })
    }
    function moveStock(sku: string, available: number, expected: Stock['expected'] = []) {
      systems.now += 1_000
      systems.stock.rows = systems.stock.rows.filter((row) => row.sku !== sku)
      systems.stock.rows.push(level(sku, available, expected))
    }
    /** Runs two rounds: a reported change must not be reported again. */
    async function rounds(feed: { tick(): Promise<void> }) {
      await feed.tick()
      await feed.tick()
    }

    it('reports new content, deactivation and reactivation of a product, but not a mere new change time', async () => {
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      change('A', {})
      await rounds(feed)
      expect(await readEventLines(db)).to.deep.equal([])
      change('A', { name: 'Better' })
      const at = systems.at()
      await rounds(feed)
      change('A', { active: false })
      await rounds(feed)
      change('A', { name: 'Nobody sees it' })
      await rounds(feed)
      change('A', { active: true })
      await rounds(feed)
      expect(await readEventLines(db)).to.deep.equal([
        'product.updated A',
        'product.deactivated A',
        'product.updated A',
      ])
      const [first] = await readEventData(db, 'product.updated')
      const details = { sku: 'A', name: 'Better', slug: 'a', active: true, updated_at: at, changed: ['details'] }
      expect(first).to.deep.equal(details)
      expect(await readEventData(db, 'product.deactivated')).to.deep.equal([
        { sku: 'A', updated_at: systems.at(-2_000) },
      ])
    })

    it('reports that a price of an active product changed, but not which one', async () => {
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      systems.now += 1_000
      systems.prices.rows = ['A', 'B', 'STRANGE'].map((sku) => ({ sku, updated_at: systems.at() }))
      await rounds(feed)
      expect((await readEventLines(db)).sort()).to.deep.equal(['product.updated A', 'product.updated B'])
      const [data] = await readEventData(db, 'product.updated')
      expect(data).to.deep.equal({
        sku: 'A',
        name: 'Part A',
        slug: 'a',
        active: true,
        updated_at: systems.at(),
        changed: ['price'],
      })
      expect(feed.reportedChanges).to.deep.include({
        tenant: 'acme/sandbox',
        skus: ['A', 'B', 'STRANGE'],
        details: false,
      })
    })

    it('reports price changes after one whose time is far in the future', async () => {
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      for (const updated_at of ['2199-01-01T00:00:00.000Z', systems.at(1_000), systems.at(2_000)]) {
        systems.now += 1_000
        systems.prices.rows = [{ sku: 'A', updated_at }]
        await rounds(feed)
      }
      expect(await readEventLines(db)).to.deep.equal(Array(3).fill('product.updated A'))
    })

    it('reports changes of the availability band, and neither stores nor reports stock counts', async () => {
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      for (const available of [7_654, 5_432, 3, 6, 3, 7_654]) {
        moveStock('A', available)
        await rounds(feed)
      }
      moveStock('A', 0, [{ date: '2026-03-09', quantity: 9_876 }])
      await rounds(feed)
      expect(await readEventData(db, 'stock.changed')).to.deep.equal([
        { sku: 'A', band: 'LOW', previous_band: 'IN_STOCK', eta: null },
        { sku: 'A', band: 'IN_STOCK', previous_band: 'LOW', eta: null },
        { sku: 'A', band: 'LEAD_TIME', previous_band: 'IN_STOCK', eta: '2026-03-09' },
      ])
      const kept = await db.selectFrom('resources').selectAll().execute()
      const events = await db.selectFrom('events').selectAll().execute()
      expect(JSON.stringify([kept, events])).to.not.match(/7654|5432|9876/)
    })

    it('reports no stock of an inactive product, and not the first stock of a SKU', async () => {
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      moveStock('NEW', 3)
      change('B', { active: false })
      await rounds(feed)
      moveStock('B', 0)
      moveStock('NEW', 0)
      await rounds(feed)
      expect(await readEventLines(db)).to.deep.equal(['product.deactivated B'])
    })

    it('invalidates cached copies at once, in other processes too', async () => {
      const elsewhere: ReportedChange[] = []
      await using tail = createOtherProcessChangePoller({
        db,
        now: () => systems.now,
        intervalMs: null,
        onChanged: (tenant, skus, { details }) =>
          void elsewhere.push({ tenant: tenantKey(tenant), skus: skus.sort(), details }),
        onError: (error) => {
          throw error
        },
      })
      await using feed = createTestFeed(db, systems, { catalogDelayMs: 1_500 })
      await rounds(feed)
      feed.reportedChanges.length = 0
      change('A', { name: 'Better' })
      moveStock('B', 0)
      await feed.tick()
      const expected = [
        { tenant: 'acme/sandbox', skus: ['A'], details: true },
        { tenant: 'acme/sandbox', skus: ['B'], details: false },
      ]
      expect(feed.reportedChanges).to.have.deep.members(expected)
      await tail.poll()
      await tail.poll()
      expect(elsewhere).to.have.deep.members(expected)
    })

    it('invalidates cached copies before other processes can send the events, however many changed', async () => {
      const unreported: number[] = []
      const countUnreported = async () => {
        const events = await readEventLines(db)
        if (events.length === 0) return
        unreported.push(events.length - new Set(feed.reportedChanges.flatMap(({ skus }) => skus)).size)
      }
      await using feed = createTestFeed(withCommitHook(db, countUnreported), systems)
      await rounds(feed)
      feed.reportedChanges.length = 0
      for (let at = 0; at < 200; at += 1) systems.products.rows.push(productOf(`N-${at}`, systems.at()))
      await feed.tick()
      // The rows of one transaction have just been committed.
      expect(Math.max(...unreported)).to.be.within(1, 50)
      expect(await readEventLines(db)).to.have.length(200)
    })

    it('delays catalog events when several processes share the store', async () => {
      const subscription = {
        subscription_id: 'whk_1',
        tenant_id: 'acme',
        mode: 'sandbox' as const,
        endpoint_url: 'https://x.example/',
        event_types: '["*"]',
        description: null,
        status: 'ACTIVE' as const,
        disabled_reason: null,
        disabled_at: null,
        secret: '',
        secret_hint: '',
        previous_secret: null,
        previous_secret_expires_at: null,
        consecutive_failures: 0,
        exhausted: 0,
        failing_since: null,
        last_delivery_at: null,
        last_success_at: null,
        created_at: systems.at(),
        updated_at: systems.at(),
      }
      await db.insertInto('subscriptions').values(subscription).execute()
      await using feed = createTestFeed(db, systems, { catalogDelayMs: 1_500 })
      await rounds(feed)
      change('A', { name: 'Better' })
      await feed.tick()
      const deliveries = await db.selectFrom('deliveries').select(['created_at', 'due_at']).execute()
      expect(deliveries).to.deep.equal([{ created_at: systems.at(), due_at: systems.at(1_500) }])
    })
  })
}

/** Calls `afterCommit` after each commit, before the transaction's caller continues. */
function withCommitHook(db: Database, afterCommit: () => Promise<void>): Database {
  return new Proxy(db, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (name !== 'transaction') return typeof member === 'function' ? member.bind(target) : member
      return () => {
        const builder = target.transaction()
        const execute = builder.execute.bind(builder)
        return Object.assign(builder, {
          async execute(work: never) {
            const done = await execute(work)
            await afterCommit()
            return done
          },
        })
      }
    },
  })
}
