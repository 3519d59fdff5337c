import { expect } from 'chai'
import { listCatalogParts } from '../../../src/storage/catalog/catalog-part-states.ts'
import { acceptCatalogDeletions } from '../../../src/storage/catalog/catalog-walks.ts'
import type { Database } from '../../../src/storage/database.ts'
import { stores } from '../../support/stores.ts'
import { createFakeSystems, type FakeSystems } from '../fake-systems.ts'
import { readEventLines } from '../read-events.ts'
import { productOf } from '../sample-products.ts'
import { createTestFeed } from '../test-feed.ts'

for (const store of stores()) {
  describe(`a mass deletion on ${store.name}`, () => {
    let db: Database
    let systems: FakeSystems

    beforeEach(async () => {
      db = await store.open()
      systems = createFakeSystems()
      systems.products.rows = Array.from({ length: 300 }, (_, at) => productOf(`S${at}`, systems.at(-60_000)))
    })
    afterEach(() => store.close())

    async function minutes(feed: { tick(): Promise<void> }, count: number) {
      for (let minute = 0; minute < count; minute++) {
        systems.now += 66_000
        await feed.tick()
      }
    }
    const acme = { merchant: 'acme', mode: 'sandbox' } as const
    const readFailure = async () => (await listCatalogParts(db, acme)).find(({ name }) => name === 'products')!.failure
    const remove = (count: number) => systems.products.rows.splice(0, count)

    it('deactivates nothing until an operator accepts it', async () => {
      await using feed = createTestFeed(db, systems)
      await minutes(feed, 3)
      remove(20)
      await minutes(feed, 8)
      expect(await readEventLines(db)).to.deep.equal([])
      expect(await readFailure()).to.equal('invalid')
      expect(feed.errors.map(String)).to.have.length(1)
      expect(String(feed.errors[0]))
        .to.match(/\d+ of 300/)
        .and.include('mirror accept-deletions acme --mode sandbox')
      expect(await acceptCatalogDeletions(db, acme, systems.at())).to.equal(20)
      await minutes(feed, 4)
      expect(await readEventLines(db)).to.have.length(20)
      expect(await readFailure()).to.equal(null)
    })

    it('is over when the products are there again', async () => {
      await using feed = createTestFeed(db, systems)
      await minutes(feed, 3)
      const removed = remove(20)
      await minutes(feed, 6)
      systems.products.rows.push(...removed)
      await minutes(feed, 6)
      expect(await readEventLines(db)).to.deep.equal([])
    })

    it('is not what a few deletions are', async () => {
      await using feed = createTestFeed(db, systems)
      await minutes(feed, 3)
      remove(4)
      await minutes(feed, 8)
      expect(await readEventLines(db)).to.have.length(4)
    })

    it('is found in one night, wherever the products are', async () => {
      await using feed = createTestFeed(db, systems)
      await minutes(feed, 3)
      systems.today = '2026-03-03'
      systems.itemQueries = []
      await minutes(feed, 1)
      expect(new Set(systems.itemQueries.flat()).size).to.equal(300)
    })
  })
}
