import { expect } from 'chai'
import { CATALOG_EVENT_HOLD_MS, createEventRelease } from '../../src/changes/mirror/event-release.ts'
import { listMirrorFollowers, reportMirrorFollower } from '../../src/storage/catalog/mirror-followers.ts'
import type { Database } from '../../src/storage/database.ts'
import { takeLease } from '../../src/storage/leases.ts'
import { releaseDeadHolders, releaseEndedProcesses } from '../../src/storage/release-dead-holders.ts'
import { tenantColumns } from '../../src/storage/tenant-columns.ts'
import type { Tenant } from '../../src/tenant.ts'
import { createFakeSystems, type FakeSystems } from '../changes/fake-systems.ts'
import { readEventLines } from '../changes/read-events.ts'
import { productOf } from '../changes/sample-products.ts'
import { createTestFeed } from '../changes/test-feed.ts'
import { stores } from '../support/stores.ts'

const acme: Tenant = { merchant: 'acme', mode: 'live' }

for (const store of stores().filter(({ maxServers }) => maxServers === 1))
  describe('a server that starts on SQLite after one that was killed', () => {
    let db: Database
    let systems: FakeSystems
    beforeEach(async () => {
      db = await store.open()
      systems = createFakeSystems()
    })
    afterEach(() => store.close())

    const isoAfter = (ms: number) => new Date(systems.now + ms).toISOString()
    const release = () => releaseDeadHolders(db, isoAfter(0))

    it('reads the changes of the systems at once', async () => {
      await using killed = createTestFeed(db, systems, { holder: 'killed' })
      await killed.tick()
      systems.now += 1_000
      systems.products.rows.push(productOf('A', systems.at()))
      await release()
      await using next = createTestFeed(db, systems, { holder: 'next' })
      await next.tick()
      expect(await readEventLines(db)).to.deep.equal(['product.updated A'])
    })

    it('sends the events that the killed one held back', async () => {
      const startRelease = (follower: string) =>
        createEventRelease({ db, tenant: acme, follower, now: () => systems.now })
      await startRelease('killed').report(0)
      const event = { event_id: 'evt_1', type: 'product.updated', resource_type: 'product', resource_id: 'A' }
      const times = { created_at: isoAfter(0), held_until: isoAfter(CATALOG_EVENT_HOLD_MS) }
      await db
        .insertInto('events')
        .values({ ...tenantColumns(acme), ...event, ...times, sequence: 1, data: '{}' })
        .execute()
      await db
        .insertInto('catalog_sequences')
        .values({ ...tenantColumns(acme), last: 1 })
        .execute()
      systems.now += 1_000
      await release()
      await startRelease('next').round(1)
      expect(await db.selectFrom('events').select('held_until').execute()).to.deep.equal([{ held_until: null }])
    })

    it('leaves the lease of an import to the command that runs it', async () => {
      const at = { now: isoAfter(0), until: isoAfter(30_000) }
      expect(await takeLease(db, 'references:acme/live', 'command', at)).to.equal(true)
      await release()
      expect(await takeLease(db, 'references:acme/live', 'other', at)).to.equal(false)
    })
  })

for (const store of stores())
  describe(`a process that starts on ${store.name} after others of its machine were killed`, () => {
    afterEach(() => store.close())

    it('reads the changes of the systems that a killed one read, but not those that a living one reads', async () => {
      const db = await store.open()
      const systems = createFakeSystems()
      await using killed = createTestFeed(db, systems, { holder: 'killed' })
      await killed.tick()
      systems.now += 1_000
      systems.products.rows.push(productOf('A', systems.at()))
      await using next = createTestFeed(db, systems, { holder: 'next' })
      await releaseEndedProcesses(db, ['another'], systems.at())
      await next.tick()
      expect(await readEventLines(db)).to.deep.equal([])
      await releaseEndedProcesses(db, ['killed', 'another'], systems.at())
      await next.tick()
      expect(await readEventLines(db)).to.deep.equal(['product.updated A'])
    })

    it('lets no event wait for the mirror of a killed one, but for that of a living one', async () => {
      const db = await store.open()
      await reportMirrorFollower(db, acme, 'killed', 1)
      await reportMirrorFollower(db, acme, 'living', 1)
      await releaseEndedProcesses(db, ['killed'], '2026-01-01T00:00:00.000Z')
      const followers = await listMirrorFollowers(db, acme)
      expect(followers.map(({ follower }) => follower)).to.deep.equal(['living'])
    })
  })
