import { expect } from 'chai'
import type { Database } from '../../../src/storage/database.ts'
import { tenantColumns } from '../../../src/storage/tenant-columns.ts'
import { NUMBERED_PER_TRANSACTION, numberEvents } from '../../../src/storage/webhooks/event-positions.ts'
import { stores } from '../../support/stores.ts'

const tenant = { merchant: 'acme', mode: 'sandbox' } as const
const START = Date.parse('2026-11-21T12:00:00.000Z')
const NOW = START + 86_400_000
const EVENTS = 4_000
const ROWS_PER_INSERT = 1_000

interface TestEvent {
  resource_id: string
  sequence: number
  /** Seconds after the start. */
  at: number
}

for (const store of stores()) {
  describe(`numbering of events over ${store.name}`, () => {
    let db: Database

    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    async function insert(events: readonly TestEvent[]): Promise<void> {
      const rows = events.map(({ resource_id, sequence, at }) => ({
        ...tenantColumns(tenant),
        event_id: `evt_${resource_id}-${sequence}`,
        type: 'order.shipped' as const,
        resource_type: 'order',
        resource_id,
        sequence,
        data: '{}',
        created_at: new Date(START + at * 1_000).toISOString(),
      }))
      for (let from = 0; from < rows.length; from += ROWS_PER_INSERT)
        await db
          .insertInto('events')
          .values(rows.slice(from, from + ROWS_PER_INSERT))
          .execute()
    }

    /** Numbers all events, and returns how many each transaction numbered. */
    async function numberAll(): Promise<number[]> {
      const counts = [await numberEvents(db, tenant, NOW)]
      while (counts.at(-1) === NUMBERED_PER_TRANSACTION) counts.push(await numberEvents(db, tenant, NOW))
      return counts
    }

    async function expectInSequence(count: number): Promise<void> {
      const rows = await db
        .selectFrom('events')
        .select(['resource_id', 'sequence', 'position'])
        .orderBy('position')
        .execute()
      expect(rows.map(({ position }) => position)).to.deep.equal(rows.map((_, index) => index + 1))
      expect(rows).to.have.lengthOf(count)
      const last = new Map<string, number>()
      for (const { resource_id, sequence } of rows) {
        expect(sequence, resource_id).to.equal((last.get(resource_id) ?? 0) + 1)
        last.set(resource_id, sequence)
      }
    }

    it('follows the sequence of a resource whose earlier event has a later time than a whole batch', async () => {
      const others = Array.from({ length: NUMBERED_PER_TRANSACTION }, (_, n) => ({
        resource_id: `SO-${n}`,
        sequence: 1,
        at: 10,
      }))
      await insert([
        { resource_id: 'SO-X', sequence: 1, at: 60 },
        { resource_id: 'SO-X', sequence: 2, at: 0 },
        ...others,
      ])
      expect(await numberAll()).to.deep.equal([NUMBERED_PER_TRANSACTION, 2])
      await expectInSequence(NUMBERED_PER_TRANSACTION + 2)
    })

    for (const resources of [1, 500, EVENTS])
      it(`numbers ${EVENTS} events of ${resources} resources, whose times run backwards, in full batches`, async () => {
        const each = EVENTS / resources
        const events = Array.from({ length: EVENTS }, (_, n) => ({
          resource_id: `SO-${n % resources}`,
          sequence: Math.floor(n / resources) + 1,
          at: EVENTS - n,
        }))
        await insert(events)
        expect(events.at(-1)!.sequence).to.equal(each)
        expect(await numberAll()).to.deep.equal([
          ...Array(EVENTS / NUMBERED_PER_TRANSACTION).fill(NUMBERED_PER_TRANSACTION),
          0,
        ])
        await expectInSequence(EVENTS)
      })
  })
}
