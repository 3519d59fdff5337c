import { expect } from 'chai'
import { UpstreamError, type UpstreamFailure } from '../../../src/errors.ts'
import { listCatalogParts } from '../../../src/storage/catalog/catalog-part-states.ts'
import type { Database } from '../../../src/storage/database.ts'
import { stores } from '../../support/stores.ts'
import { createFakeSystems, type FakeSystems } from '../fake-systems.ts'
import { productOf } from '../sample-products.ts'
import { createTestFeed } from '../test-feed.ts'

const OUTAGE_SECONDS = 600

describe('change feeds of a system that cannot be reached', () => {
  const store = stores()[0]!
  let db: Database
  let systems: FakeSystems
  let attempts = 0

  beforeEach(async () => {
    db = await store.open()
    systems = createFakeSystems()
    systems.products.rows = [productOf('A', systems.at(-60_000))]
    attempts = 0
  })
  afterEach(() => store.close())

  function failInventory(failure: UpstreamFailure | null): void {
    const respond = () => {
      attempts += 1
      if (failure) throw new UpstreamError(failure, 'down')
    }
    systems.products.beforeResponse = respond
    systems.stock.beforeResponse = respond
    const { categories, tags, items } = createFakeSystems().changes
    for (const [name, read] of Object.entries({ categories, tags, items }))
      Object.assign(systems.changes, {
        [name]: async (...args: never[]) => {
          respond()
          return (read as (...args: never[]) => unknown)(...args)
        },
      })
  }

  async function seconds(feed: { tick(): Promise<void> }, count: number): Promise<void> {
    for (let second = 0; second < count; second++) {
      systems.now += 1_000
      await feed.tick()
    }
  }

  const listOldParts = async (since: string) =>
    (await listCatalogParts(db, { merchant: 'acme', mode: 'sandbox' }))
      .filter(({ asOf, failure }) => failure !== null || asOf! < since)
      .map(({ name }) => name)

  for (const failure of ['unavailable', 'circuit_open', 'timeout'] as const)
    it(`are all read within seconds of its return, and call it seldom until then: ${failure}`, async () => {
      await using feed = createTestFeed(db, systems)
      await seconds(feed, 60)
      failInventory(failure)
      const diedAt = systems.at()
      await seconds(feed, OUTAGE_SECONDS)
      expect(attempts).to.be.within(OUTAGE_SECONDS / 3, OUTAGE_SECONDS)
      expect(await listOldParts(diedAt)).to.include.members(['products', 'stock', 'categories', 'tags'])
      failInventory(null)
      const backAt = systems.at()
      await seconds(feed, 4)
      expect(await listOldParts(backAt)).to.deep.equal([])
    })

  it('back off when they fail by themselves', async () => {
    await using feed = createTestFeed(db, systems)
    await seconds(feed, 60)
    systems.stock.beforeResponse = () => {
      attempts += 1
      throw new UpstreamError('timeout', 'slow')
    }
    await seconds(feed, OUTAGE_SECONDS)
    expect(attempts).to.be.below(20)
  })
})
