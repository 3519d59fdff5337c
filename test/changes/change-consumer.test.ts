import { expect } from 'chai'
import type { Database } from '../../src/storage/database.ts'
import { stores } from '../support/stores.ts'
import { createFakeSystems, createTestFeed, type FakeSystems, productOf, readEventLines } from './fake-systems.ts'

const updated = (skus: string[]) => skus.map((sku) => `product.updated ${sku}`)
const skusOf = (count: number, prefix = 'P') =>
  Array.from({ length: count }, (_, at) => `${prefix}-${String(at).padStart(5, '0')}`)

for (const store of stores()) {
  describe(`following a system’s changes on ${store.name}`, () => {
    let db: Database
    let world: FakeSystems

    beforeEach(async () => {
      db = await store.open()
      world = createFakeSystems()
      world.products.rows = skusOf(3, 'OLD').map((sku, at) => productOf(sku, world.at(-3_600_000 + at)))
    })
    afterEach(() => store.close())

    const known = async () => {
      const rows = await db.selectFrom('resources').select('id').where('type', '=', 'product').orderBy('id').execute()
      return rows.map(({ id }) => id)
    }
    const feedRow = () => db.selectFrom('feeds').selectAll().where('source', '=', 'products').executeTakeFirstOrThrow()
    const sorted = async () => (await readEventLines(db)).sort()
    /** Rounds until nothing late can come any more. */
    async function quieten(feed: { tick(): Promise<void> }) {
      for (const _ of [1, 2, 3]) {
        await feed.tick()
        world.now += 6_000
      }
    }

    it('sees all that there is once, and tells of nothing that was there before', async () => {
      await using feed = createTestFeed(db, world)
      await feed.tick()
      expect(await readEventLines(db)).to.deep.equal([])
      expect(await known()).to.deep.equal(skusOf(3, 'OLD'))
      expect(await feedRow()).to.include({ baseline: 0, watermark: world.at(-3_600_000 + 2) })
    })

    it('tells of what comes after that', async () => {
      await using feed = createTestFeed(db, world)
      await feed.tick()
      world.products.rows.push(productOf('NEW', world.at()))
      await feed.tick()
      await feed.tick()
      expect(await readEventLines(db)).to.deep.equal(updated(['NEW']))
    })

    it('takes a thousand changes of one instant, each once', async () => {
      await using feed = createTestFeed(db, world)
      await feed.tick()
      const many = skusOf(1_000)
      world.products.rows.push(...many.map((sku) => productOf(sku, world.at())))
      await feed.tick()
      world.now += 2_000
      await feed.tick()
      expect(await sorted()).to.deep.equal(updated(many))
    })

    it('does not read a bulk at the end again and again', async () => {
      world.products.rows.push(...skusOf(500).map((sku) => productOf(sku, world.at())))
      await using feed = createTestFeed(db, world)
      await quieten(feed)
      world.products.given = 0
      world.products.asked = []
      await feed.tick()
      expect(world.products.given).to.equal(0)
      expect(world.products.asked).to.deep.equal([{ since: world.at(-18_000 + 1), limit: 200, offset: 0 }])
    })

    it('finds what became visible late, behind newer changes', async () => {
      await using feed = createTestFeed(db, world)
      await quieten(feed)
      const begun = world.at()
      world.now += 3_000
      world.products.rows.push(productOf('SWIFT', world.at()))
      await feed.tick()
      world.now += 1_900
      world.products.rows.push(productOf('SLOW', begun))
      world.now += 3_200
      await feed.tick()
      await feed.tick()
      expect(await readEventLines(db)).to.deep.equal(updated(['SWIFT', 'SLOW']))
    })

    it('finds a change of the same instant that came after it was read', async () => {
      await using feed = createTestFeed(db, world)
      await feed.tick()
      world.products.rows.push(productOf('A', world.at()))
      await feed.tick()
      world.products.rows.push(productOf('B', world.at()))
      world.now += 5_000
      await feed.tick()
      expect(await readEventLines(db)).to.deep.equal(updated(['A', 'B']))
    })

    it('follows a clock of whole seconds', async () => {
      await using feed = createTestFeed(db, world)
      await feed.tick()
      for (const sku of ['A', 'B', 'C', 'D']) {
        world.products.rows.push(productOf(sku, '2026-03-02T12:00:01Z'))
        await feed.tick()
        world.now += 400
      }
      expect(await readEventLines(db)).to.deep.equal(updated(['A', 'B', 'C', 'D']))
    })

    it('follows a system whose clock is hours off, either way', async () => {
      for (const off of [-7_200_000, 7_200_000]) {
        const other = await store.open()
        world = createFakeSystems()
        world.products.rows = [productOf('OLD', world.at(off - 10_000))]
        await using feed = createTestFeed(other, world)
        await quieten(feed)
        world.products.rows.push(productOf('NEW', world.at(off)))
        await quieten(feed)
        expect(await readEventLines(other)).to.deep.equal(updated(['NEW']))
      }
    })

    it('skips nothing when rows move on while it reads', async () => {
      const many = skusOf(900)
      world.products.rows.push(...many.map((sku) => productOf(sku, world.at(-60_000))))
      world.products.meanwhile = () => {
        const { rows } = world.products
        const first = rows.findIndex(({ sku, updated_at }) => sku.startsWith('P') && updated_at === world.at(-60_000))
        rows.push({ ...rows.splice(first, 1)[0]!, updated_at: world.at() })
      }
      await using feed = createTestFeed(db, world)
      await feed.tick()
      expect(await known()).to.deep.equal([...skusOf(3, 'OLD'), ...many])
    })

    it('skips nothing when a great part of an instant moves on at once', async () => {
      const many = skusOf(900)
      world.products.rows.push(...many.map((sku) => productOf(sku, world.at(-60_000))))
      world.products.meanwhile = () => {
        if (world.products.asked.length !== 4) return
        const { rows } = world.products
        rows.push(...rows.splice(3, 350).map((row) => ({ ...row, updated_at: world.at() })))
      }
      await using feed = createTestFeed(db, world)
      await feed.tick()
      expect(await known()).to.deep.equal([...skusOf(3, 'OLD'), ...many])
    })

    it('comes past pages of rows that cannot be read', async () => {
      world.products.rows.push(
        ...skusOf(900).map((sku, at) => productOf(sku, world.at(-60_000 + Math.floor(at / 300)))),
      )
      const read = world.products.read!
      world.products.read = async (query) => {
        const { changes, has_more } = await read(query)
        return { changes: changes.filter(({ sku }) => sku < 'P-00100' || sku >= 'P-00850'), has_more }
      }
      await using feed = createTestFeed(db, world)
      await feed.tick()
      expect(await known()).to.deep.equal([
        ...skusOf(3, 'OLD'),
        ...skusOf(900).filter((sku) => sku < 'P-00100' || sku >= 'P-00850'),
      ])
      expect(await feedRow()).to.include({ baseline: 0, watermark: world.at(-60_000 + 2) })
    })

    it('goes on where it was when the system fails in the middle of a walk', async () => {
      const many = skusOf(700)
      world.products.rows.push(...many.map((sku, at) => productOf(sku, world.at(-60_000 + at))))
      await using feed = createTestFeed(db, world)
      world.products.meanwhile = () => {
        if (world.products.asked.length === 3) throw new Error('the connection broke')
      }
      await feed.tick()
      expect((await known()).length).to.equal(399)
      const { watermark, baseline } = await feedRow()
      expect(baseline).to.equal(1)
      world.now += 60_000
      await feed.tick()
      expect(world.products.asked[3]).to.deep.include({ since: watermark, offset: 0 })
      expect((await known()).length).to.equal(703)
      expect(await readEventLines(db)).to.deep.equal([])
    })

    it('goes on after a restart, and tells of what happened meanwhile once', async () => {
      {
        await using feed = createTestFeed(db, world)
        await feed.tick()
      }
      world.now += 3_600_000
      world.products.rows.push(productOf('NEW', world.at(-1_800_000)))
      await using feed = createTestFeed(db, world)
      await feed.tick()
      await feed.tick()
      expect(await readEventLines(db)).to.deep.equal(updated(['NEW']))
    })

    it('takes a row of the far future, and a row without a time, and believes neither', async () => {
      await using feed = createTestFeed(db, world)
      await feed.tick()
      const { watermark } = await feedRow()
      world.products.rows.push(productOf('FUTURE', '2199-01-01T00:00:00.000Z'), productOf('ODD', 'yesterday'))
      await feed.tick()
      await feed.tick()
      expect(await sorted()).to.deep.equal(updated(['FUTURE', 'ODD']))
      expect(await feedRow()).to.include({ watermark })
      world.products.rows.push(productOf('NEW', world.at()))
      await feed.tick()
      expect(await sorted()).to.deep.equal(updated(['FUTURE', 'NEW', 'ODD']))
      expect(await feedRow()).to.include({ watermark: world.at() })
    })

    it('finds what became visible behind a walk that went on for long', async () => {
      await using feed = createTestFeed(db, world)
      await quieten(feed)
      const begun = world.at()
      world.products.rows.push(...skusOf(200, 'FIRST').map((sku) => productOf(sku, world.at())))
      let pages = 0
      // Another two hundred for each page that is read, and one that took its time.
      world.products.meanwhile = () => {
        pages += 1
        if (pages > 8) return
        world.now += 2_000
        world.products.rows.push(...skusOf(200, `N${pages}`).map((sku) => productOf(sku, world.at())))
        if (pages === 3) world.products.rows.push(productOf('SLOW', begun))
      }
      await feed.tick()
      await feed.tick()
      expect(await readEventLines(db)).to.include('product.updated SLOW')
    })

    it('finds what comes by the right time when a clock that was ahead is set right', async () => {
      await using feed = createTestFeed(db, world)
      await quieten(feed)
      world.products.rows.push(productOf('A', world.at(36_000_000)))
      await quieten(feed)
      world.products.rows = world.products.rows.filter(({ sku }) => sku !== 'A')
      world.products.rows.push(productOf('A', world.at(), { name: 'Another' }), productOf('B', world.at()))
      world.now += 600_000
      await feed.tick()
      expect((await readEventLines(db)).sort()).to.deep.equal(updated(['A', 'A', 'B']))
      world.products.rows.push(productOf('C', world.at()))
      world.now += 600_000
      await feed.tick()
      expect((await readEventLines(db)).sort()).to.deep.equal(updated(['A', 'A', 'B', 'C']))
      world.now += 36_000_000 - 1_400_000
      await feed.tick()
      world.products.rows.push(productOf('D', world.at(100_000)))
      world.now += 240_000
      await feed.tick()
      expect((await readEventLines(db)).sort()).to.deep.equal(updated(['A', 'A', 'B', 'C', 'D']))
    })

    it('leaves out a row that cannot be kept, and takes those around it', async () => {
      await using feed = createTestFeed(db, world)
      await feed.tick()
      const bad = Object.defineProperty(productOf('BAD', world.at(1)), 'name', { enumerable: true, value: 10n })
      world.products.rows.push(productOf('A', world.at()), bad, productOf('B', world.at(2)))
      await feed.tick()
      await feed.tick()
      expect(await readEventLines(db)).to.deep.equal(updated(['A', 'B']))
      expect(feed.errors).to.have.length.above(0)
    })
  })
}
