import { expect } from 'chai'
import type { Database } from '../../../src/storage/database.ts'
import { stores } from '../../support/stores.ts'
import { createFakeSystems, type FakeSystems } from '../fake-systems.ts'
import { readEventLines } from '../read-events.ts'
import { productOf } from '../sample-products.ts'
import { createTestFeed } from '../test-feed.ts'

const updated = (skus: string[]) => skus.map((sku) => `product.updated ${sku}`)
const skusOf = (count: number, prefix = 'P') =>
  Array.from({ length: count }, (_, at) => `${prefix}-${String(at).padStart(5, '0')}`)

for (const store of stores()) {
  describe(`the change consumer on ${store.name}`, () => {
    let db: Database
    let systems: FakeSystems

    beforeEach(async () => {
      db = await store.open()
      systems = createFakeSystems()
      systems.products.rows = skusOf(3, 'OLD').map((sku, at) => productOf(sku, systems.at(-3_600_000 + at)))
    })
    afterEach(() => store.close())

    const known = async () => {
      const rows = await db.selectFrom('resources').select('id').where('type', '=', 'product').orderBy('id').execute()
      return rows.map(({ id }) => id)
    }
    const feedRow = () => db.selectFrom('feeds').selectAll().where('source', '=', 'products').executeTakeFirstOrThrow()
    const sorted = async () => (await readEventLines(db)).sort()
    /** Runs rounds until no late row can appear any more. */
    async function runUntilQuiet(feed: { tick(): Promise<void> }) {
      for (const _ of [1, 2, 3]) {
        await feed.tick()
        systems.now += 6_000
      }
    }

    it('reads all existing rows once, and reports none of them', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      expect(await readEventLines(db)).to.deep.equal([])
      expect(await known()).to.deep.equal(skusOf(3, 'OLD'))
      expect(await feedRow()).to.include({ baseline: 0, watermark: systems.at(-3_600_000 + 2) })
    })

    it('reports later changes', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      systems.products.rows.push(productOf('NEW', systems.at()))
      await feed.tick()
      await feed.tick()
      expect(await readEventLines(db)).to.deep.equal(updated(['NEW']))
    })

    it('applies a thousand changes of one instant, each once', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      const many = skusOf(1_000)
      systems.products.rows.push(...many.map((sku) => productOf(sku, systems.at())))
      await feed.tick()
      systems.now += 2_000
      await feed.tick()
      expect(await sorted()).to.deep.equal(updated(many))
    })

    it('does not read a large last batch again and again', async () => {
      systems.products.rows.push(...skusOf(500).map((sku) => productOf(sku, systems.at())))
      await using feed = createTestFeed(db, systems)
      await runUntilQuiet(feed)
      systems.products.rowsReturned = 0
      systems.products.queries = []
      await feed.tick()
      expect(systems.products.rowsReturned).to.equal(0)
      expect(systems.products.queries).to.deep.equal([{ since: systems.at(-18_000 + 1), limit: 200, offset: 0 }])
    })

    it('finds rows that become visible late, before newer ones', async () => {
      await using feed = createTestFeed(db, systems)
      await runUntilQuiet(feed)
      const begun = systems.at()
      systems.now += 3_000
      systems.products.rows.push(productOf('SWIFT', systems.at()))
      await feed.tick()
      systems.now += 1_900
      systems.products.rows.push(productOf('SLOW', begun))
      systems.now += 3_200
      await feed.tick()
      await feed.tick()
      expect(await readEventLines(db)).to.deep.equal(updated(['SWIFT', 'SLOW']))
    })

    it('finds a change of an instant that has already been read', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      systems.products.rows.push(productOf('A', systems.at()))
      await feed.tick()
      systems.products.rows.push(productOf('B', systems.at()))
      systems.now += 5_000
      await feed.tick()
      expect(await readEventLines(db)).to.deep.equal(updated(['A', 'B']))
    })

    it('handles a clock with whole seconds', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      for (const sku of ['A', 'B', 'C', 'D']) {
        systems.products.rows.push(productOf(sku, '2026-03-02T12:00:01Z'))
        await feed.tick()
        systems.now += 400
      }
      expect(await readEventLines(db)).to.deep.equal(updated(['A', 'B', 'C', 'D']))
    })

    it('handles a system whose clock is hours ahead or behind', async () => {
      for (const off of [-7_200_000, 7_200_000]) {
        const other = await store.open()
        systems = createFakeSystems()
        systems.products.rows = [productOf('OLD', systems.at(off - 10_000))]
        await using feed = createTestFeed(other, systems)
        await runUntilQuiet(feed)
        systems.products.rows.push(productOf('NEW', systems.at(off)))
        await runUntilQuiet(feed)
        expect(await readEventLines(other)).to.deep.equal(updated(['NEW']))
      }
    })

    it('skips nothing when rows change while it reads', async () => {
      const many = skusOf(900)
      systems.products.rows.push(...many.map((sku) => productOf(sku, systems.at(-60_000))))
      systems.products.beforeResponse = () => {
        const { rows } = systems.products
        const first = rows.findIndex(({ sku, updated_at }) => sku.startsWith('P') && updated_at === systems.at(-60_000))
        rows.push({ ...rows.splice(first, 1)[0]!, updated_at: systems.at() })
      }
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      expect(await known()).to.deep.equal([...skusOf(3, 'OLD'), ...many])
    })

    it('skips nothing when many rows of an instant change at once', async () => {
      const many = skusOf(900)
      systems.products.rows.push(...many.map((sku) => productOf(sku, systems.at(-60_000))))
      systems.products.beforeResponse = () => {
        if (systems.products.queries.length !== 4) return
        const { rows } = systems.products
        rows.push(...rows.splice(3, 350).map((row) => ({ ...row, updated_at: systems.at() })))
      }
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      expect(await known()).to.deep.equal([...skusOf(3, 'OLD'), ...many])
    })

    it('passes over pages of unreadable rows', async () => {
      systems.products.rows.push(
        ...skusOf(900).map((sku, at) => productOf(sku, systems.at(-60_000 + Math.floor(at / 300)))),
      )
      const read = systems.products.read!
      systems.products.read = async (query) => {
        const { changes, has_more } = await read(query)
        return { changes: changes.filter(({ sku }) => sku < 'P-00100' || sku >= 'P-00850'), has_more }
      }
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      expect(await known()).to.deep.equal([
        ...skusOf(3, 'OLD'),
        ...skusOf(900).filter((sku) => sku < 'P-00100' || sku >= 'P-00850'),
      ])
      expect(await feedRow()).to.include({ baseline: 0, watermark: systems.at(-60_000 + 2) })
    })

    it('continues where it was after the system fails during a run', async () => {
      const many = skusOf(700)
      systems.products.rows.push(...many.map((sku, at) => productOf(sku, systems.at(-60_000 + at))))
      await using feed = createTestFeed(db, systems)
      systems.products.beforeResponse = () => {
        if (systems.products.queries.length === 3) throw new Error('the connection broke')
      }
      await feed.tick()
      expect((await known()).length).to.equal(399)
      const { watermark, baseline } = await feedRow()
      expect(baseline).to.equal(1)
      systems.now += 60_000
      await feed.tick()
      expect(systems.products.queries[3]).to.deep.include({ since: watermark, offset: 0 })
      expect((await known()).length).to.equal(703)
      expect(await readEventLines(db)).to.deep.equal([])
    })

    it('continues after a restart, and reports changes in between once', async () => {
      {
        await using feed = createTestFeed(db, systems)
        await feed.tick()
      }
      systems.now += 3_600_000
      systems.products.rows.push(productOf('NEW', systems.at(-1_800_000)))
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      await feed.tick()
      expect(await readEventLines(db)).to.deep.equal(updated(['NEW']))
    })

    it('applies rows with a far future or an invalid time, without moving the watermark there', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      const { watermark } = await feedRow()
      systems.products.rows.push(productOf('FUTURE', '2199-01-01T00:00:00.000Z'), productOf('ODD', 'yesterday'))
      await feed.tick()
      await feed.tick()
      expect(await sorted()).to.deep.equal(updated(['FUTURE', 'ODD']))
      expect(await feedRow()).to.include({ watermark })
      systems.products.rows.push(productOf('NEW', systems.at()))
      await feed.tick()
      expect(await sorted()).to.deep.equal(updated(['FUTURE', 'NEW', 'ODD']))
      expect(await feedRow()).to.include({ watermark: systems.at() })
    })

    it('finds rows that became visible during a long run', async () => {
      await using feed = createTestFeed(db, systems)
      await runUntilQuiet(feed)
      const begun = systems.at()
      systems.products.rows.push(...skusOf(200, 'FIRST').map((sku) => productOf(sku, systems.at())))
      let pages = 0
      // Adds two hundred rows for each page that is read, and one row that becomes visible late.
      systems.products.beforeResponse = () => {
        pages += 1
        if (pages > 8) return
        systems.now += 2_000
        systems.products.rows.push(...skusOf(200, `N${pages}`).map((sku) => productOf(sku, systems.at())))
        if (pages === 3) systems.products.rows.push(productOf('SLOW', begun))
      }
      await feed.tick()
      await feed.tick()
      expect(await readEventLines(db)).to.include('product.updated SLOW')
    })

    it('finds rows with correct times after a clock that was ahead is corrected', async () => {
      await using feed = createTestFeed(db, systems)
      await runUntilQuiet(feed)
      systems.products.rows.push(productOf('A', systems.at(36_000_000)))
      await runUntilQuiet(feed)
      systems.products.rows = systems.products.rows.filter(({ sku }) => sku !== 'A')
      systems.products.rows.push(productOf('A', systems.at(), { name: 'Another' }), productOf('B', systems.at()))
      systems.now += 600_000
      await feed.tick()
      expect((await readEventLines(db)).sort()).to.deep.equal(updated(['A', 'A', 'B']))
      systems.products.rows.push(productOf('C', systems.at()))
      systems.now += 600_000
      await feed.tick()
      expect((await readEventLines(db)).sort()).to.deep.equal(updated(['A', 'A', 'B', 'C']))
      systems.now += 36_000_000 - 1_400_000
      await feed.tick()
      systems.products.rows.push(productOf('D', systems.at(100_000)))
      systems.now += 240_000
      await feed.tick()
      expect((await readEventLines(db)).sort()).to.deep.equal(updated(['A', 'A', 'B', 'C', 'D']))
    })

    it('skips a row that cannot be stored, and applies the others', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      const bad = Object.defineProperty(productOf('BAD', systems.at(1)), 'name', { enumerable: true, value: 10n })
      systems.products.rows.push(productOf('A', systems.at()), bad, productOf('B', systems.at(2)))
      await feed.tick()
      await feed.tick()
      expect(await readEventLines(db)).to.deep.equal(updated(['A', 'B']))
      expect(feed.errors).to.have.length.above(0)
    })
  })
}
