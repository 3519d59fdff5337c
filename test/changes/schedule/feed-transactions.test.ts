import { expect } from 'chai'
import type { Database } from '../../../src/storage/database.ts'
import { stores } from '../../support/stores.ts'
import { createFakeSystems } from '../fake-systems.ts'
import { readEventLines } from '../read-events.ts'
import { productOf } from '../sample-products.ts'
import { createTestFeed, toFeedTenant } from '../test-feed.ts'

/** More than a process has connections to PostgreSQL. */
const MERCHANTS = Array.from({ length: 12 }, (_, at) => `merchant-${at}`)
const SKUS = Array.from({ length: 120 }, (_, at) => `BP-${1_000 + at}`)

for (const store of stores())
  describe(`change feeds of many merchants on ${store.name}`, () => {
    afterEach(() => store.close())

    it('leave connections to requests while all catalogs are copied', async () => {
      const db = await store.open()
      const transactions = countTransactions(db)
      const systems = createFakeSystems()
      systems.products.rows.push(...SKUS.map((sku, at) => productOf(sku, systems.at(at))))
      const upstreams = MERCHANTS.map((merchant) => toFeedTenant(systems, merchant))
      await using feed = createTestFeed(transactions.db, systems, { upstreams })
      await feed.tick()
      systems.now += 4_000
      await feed.tick()
      expect(feed.errors).to.deep.equal([])
      const copied = await db
        .selectFrom('catalog_products')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      expect(Number(copied.n)).to.equal(MERCHANTS.length * SKUS.length)
      expect(await readEventLines(db)).to.deep.equal([])
      expect(transactions.mostAtOnce()).to.equal(4)
    })
  })

/** Counts the transactions that are open, or wait for a connection, at the same time. */
function countTransactions(db: Database): { db: Database; mostAtOnce(): number } {
  let [open, most] = [0, 0]
  const transaction: Database['transaction'] = () => {
    const builder = db.transaction()
    const execute = builder.execute.bind(builder)
    builder.execute = async (work) => {
      open += 1
      most = Math.max(most, open)
      try {
        return await execute(work)
      } finally {
        open -= 1
      }
    }
    return builder
  }
  const counted = new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') return transaction
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { db: counted, mostAtOnce: () => most }
}
