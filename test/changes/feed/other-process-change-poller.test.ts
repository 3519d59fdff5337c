import { expect } from 'chai'
import fc from 'fast-check'
import { createOtherProcessChangePoller } from '../../../src/changes/feed/other-process-change-poller.ts'
import { randomBase62 } from '../../../src/security/base62.ts'
import type { Database } from '../../../src/storage/database.ts'
import { stores } from '../../support/stores.ts'

const NOON = Date.parse('2026-11-21T12:00:00.000Z')

for (const store of stores()) {
  describe(`the poller of catalog changes on ${store.name}`, () => {
    let db: Database
    let clock: number
    let added: number

    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    /** Adds an event as another process would, whose clock or transaction is late. */
    async function addEvent(lateMs: number): Promise<void> {
      added += 1
      await db
        .insertInto('events')
        .values({
          event_id: `evt_${randomBase62(22)}`,
          tenant_id: 'acme',
          mode: 'live',
          type: 'stock.changed',
          resource_type: 'stock',
          resource_id: `SKU-${added}`,
          sequence: 1,
          data: '{}',
          created_at: new Date(clock - lateMs).toISOString(),
        })
        .execute()
    }

    it('reports each event once, whatever their times and wherever pages end', async () => {
      // Few different times, so that pages end within an instant.
      const lateness = fc.constantFrom(0, 0, 0, 500, 4_000, -60_000)
      const round = fc.record({
        before: fc.array(lateness, { maxLength: 12 }),
        during: fc.array(lateness),
        ms: fc.nat(900),
      })
      await fc.assert(
        fc.asyncProperty(
          fc.array(round, { minLength: 1, maxLength: 8 }),
          fc.integer({ min: 1, max: 5 }),
          async (rounds, pageRows) => {
            await db.deleteFrom('events').execute()
            ;[clock, added] = [NOON, 0]
            const reported: string[] = []
            let during: number[] = []
            const onChanged = (_: unknown, skus: readonly string[]) => void reported.push(...skus)
            const now = () => clock
            await using poller = createOtherProcessChangePoller({
              db: addWhileReading(() => during.splice(0, 1)),
              now,
              onChanged,
              onError: (error) => expect.fail(String(error)),
              intervalMs: null,
              pageRows,
            })
            for (const next of rounds) {
              clock += next.ms
              for (const lateMs of next.before) await addEvent(lateMs)
              during = [...next.during]
              await poller.poll()
            }
            during = []
            await poller.poll()
            expect(reported.sort()).to.deep.equal(Array.from({ length: added }, (_, n) => `SKU-${n + 1}`).sort())
          },
        ),
        { numRuns: 60 },
      )
    })

    /** A store in which events are added before each page is read. */
    function addWhileReading(takeLateness: () => number[]): Database {
      return new Proxy(db, {
        get(target, name) {
          if (name !== 'selectFrom') return Reflect.get(target, name, target)
          return (table: 'events') => {
            const query = target.selectFrom(table)
            return interceptExecute(query, async () => {
              for (const lateMs of takeLateness()) await addEvent(lateMs)
            })
          }
        },
      })
    }
  })
}

/** Calls `before` when the query that is built from this one is executed. */
function interceptExecute<T extends object>(query: T, before: () => Promise<void>): T {
  return new Proxy(query, {
    get(target, name) {
      const member = Reflect.get(target, name, target) as unknown
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        if (name === 'execute') return before().then(() => member.apply(target, args))
        return interceptExecute(member.apply(target, args) as object, before)
      }
    },
  })
}
