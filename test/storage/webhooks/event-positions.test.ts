import { expect } from 'chai'
import fc from 'fast-check'
import type { Database } from '../../../src/storage/database.ts'
import { transact } from '../../../src/storage/transact.ts'
import { NUMBERED_PER_TRANSACTION, numberEvents } from '../../../src/storage/webhooks/event-positions.ts'
import { appendEvent } from '../../../src/storage/webhooks/outbox.ts'
import { stores } from '../../support/stores.ts'

const tenant = { merchant: 'acme', mode: 'live' } as const
const NOON = Date.parse('2026-11-21T12:00:00.000Z')

for (const store of stores()) {
  describe(`positions of events on ${store.name}`, function () {
    this.timeout(120_000)
    let db: Database
    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    /** Appends events of orders, each at a number of seconds from noon, in one transaction. */
    const append = (events: readonly (readonly [id: string, second: number])[]) =>
      transact(db, async (transaction) => {
        for (const [id, second] of events) {
          const at = new Date(NOON + second * 1_000).toISOString()
          const event = { ...tenant, type: 'order.shipped', resource: { type: 'order', id }, data: {}, at } as const
          await appendEvent(transaction, event)
        }
      })
    const numberAll = async () => {
      while ((await numberEvents(db, tenant)) > 0);
    }
    const listPositions = () =>
      db.selectFrom('events').select(['resource_id', 'sequence', 'position']).orderBy('position').execute()

    it('follow the sequence of a resource when more events wait than one transaction numbers', async () => {
      const others = Array.from({ length: NUMBERED_PER_TRANSACTION }, (_, n) => [`SO-${n}`, -1_800] as const)
      await append([['SO-AHEAD', 0], ['SO-AHEAD', -3_600], ...others])
      await numberAll()
      const rows = await listPositions()
      expect(rows.map(({ position }) => position)).to.deep.equal(rows.map((_, index) => index + 1))
      const ofResource = rows.filter(({ resource_id }) => resource_id === 'SO-AHEAD')
      expect(ofResource.map(({ sequence }) => sequence)).to.deep.equal([1, 2])
    })

    it('follow the sequence of each resource, whatever the clocks say', async () => {
      const event = fc.tuple(fc.constantFrom('SO-1', 'SO-2', 'SO-3'), fc.integer({ min: -5, max: 5 }))
      const batches = fc.array(fc.array(event, { maxLength: 30 }), { maxLength: 4 })
      await fc.assert(
        fc.asyncProperty(batches, fc.integer({ min: 1, max: 7 }), async (appended, limit) => {
          for (const table of ['events', 'resources', 'event_positions'] as const) await db.deleteFrom(table).execute()
          for (const events of appended) {
            await append(events)
            await numberEvents(db, tenant, limit)
          }
          while ((await numberEvents(db, tenant, limit)) > 0);
          const rows = await listPositions()
          expect(rows.map(({ position }) => position)).to.deep.equal(rows.map((_, index) => index + 1))
          for (const id of ['SO-1', 'SO-2', 'SO-3']) {
            const sequences = rows.filter(({ resource_id }) => resource_id === id).map(({ sequence }) => sequence)
            expect(sequences).to.deep.equal(sequences.map((_, index) => index + 1))
          }
        }),
        { numRuns: 40 },
      )
    })
  })
}
