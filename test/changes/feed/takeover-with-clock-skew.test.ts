import { expect } from 'chai'
import type { Database } from '../../../src/storage/database.ts'
import { startStoreClock } from '../../../src/storage/store-clock.ts'
import { stores } from '../../support/stores.ts'
import { until } from '../../support/until.ts'
import { createFakeSystems, type FakeSystems } from '../fake-systems.ts'
import { readEventLines } from '../read-events.ts'
import { productOf } from '../sample-products.ts'
import { createTestFeed } from '../test-feed.ts'

const postgres = stores().find(({ maxServers }) => maxServers > 1)

if (postgres)
  describe('a change feed that moves between machines whose clocks differ', () => {
    let db: Database
    let systems: FakeSystems
    beforeEach(async () => {
      db = await postgres.open()
      systems = createFakeSystems({ overlapSeconds: 60 })
      systems.now = Date.now()
    })
    afterEach(() => postgres.close())

    async function startMachine(holder: string, aheadMs: number) {
      const stack = new AsyncDisposableStack()
      const clock = stack.use(await startStoreClock({ db, now: () => Date.now() + aheadMs, intervalMs: null }))
      const { tick } = stack.use(createTestFeed(db, systems, { holder, now: clock.now }))
      return { tick, [Symbol.asyncDispose]: () => stack.disposeAsync() }
    }

    function change(name: string, available: number) {
      systems.now += 1
      systems.products.rows = [productOf('A', systems.at(), { name })]
      systems.stock.rows = [{ sku: 'A', stock: { available, expected: [] } as never, updated_at: systems.at() }]
    }

    /** Lets a machine read until it has the lease and has read. */
    const takeOver = ({ tick }: { tick(): Promise<void> }) =>
      until('the lease is free', async () => {
        await tick()
        return (await db.selectFrom('leases').where('holder', '=', 'two').select('name').execute()).length > 0
      })

    it('misses no late row after a takeover from a machine two minutes behind', async () => {
      {
        await using one = await startMachine('one', -120_000)
        await one.tick()
        change('known', 50)
        await one.tick()
      }
      await using two = await startMachine('two', 0)
      await takeOver(two)
      systems.products.rows.push(productOf('LATE', systems.at(-1_000)))
      await two.tick()
      expect(await readEventLines(db)).to.deep.equal(['product.updated A', 'product.updated LATE'])
    })

    for (const [first, second] of [
      [120_000, 0],
      [0, 120_000],
    ] as const)
      it(`misses no change: the first is ${first} ms ahead, the second ${second} ms`, async () => {
        {
          await using one = await startMachine('one', first)
          await one.tick()
          change('old', 50)
          await one.tick()
        }
        await using two = await startMachine('two', second)
        change('new', 0)
        await takeOver(two)
        const lines = (await readEventLines(db)).sort()
        expect(lines).to.deep.equal(['product.updated A', 'product.updated A', 'stock.changed A'])
        const row = await db
          .selectFrom('catalog_products')
          .select(['product', 'availability'])
          .executeTakeFirstOrThrow()
        expect([JSON.parse(row.product!).name, JSON.parse(row.availability!).band]).to.deep.equal(['new', 'OUT'])
      })
  })
