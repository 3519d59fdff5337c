import { expect } from 'chai'
import { readCurrentStatus } from '../../src/diagnostics/status/current-status.ts'
import { createStoredStatusReader } from '../../src/diagnostics/status/stored-status.ts'
import type { Database } from '../../src/storage/database.ts'
import { stores } from '../support/stores.ts'
import { START_MS } from './diagnostics-setup.ts'

/** Replaces the connections of a store until the returned object is disposed. */
function replaceConnections(db: Database, provide: () => Promise<never>): Disposable {
  const executor = db.getExecutor()
  const { provideConnection } = executor
  executor.provideConnection = provide
  return {
    [Symbol.dispose]() {
      executor.provideConnection = provideConnection
    },
  }
}

for (const store of stores())
  describe(`the stored status over ${store.name}`, () => {
    let db: Database
    let now: number
    const outage = { beganAt: START_MS, reason: 'the store does not respond', isUnreachable: true }

    beforeEach(async () => {
      db = await store.open()
      now = START_MS
    })
    afterEach(() => store.close())

    const createReader = (parts: { outage?: typeof outage | null; waitMs: number }) =>
      createStoredStatusReader({
        db,
        store: { outage: parts.outage ?? null },
        merchants: ['acme'],
        now: () => now,
        waitMs: parts.waitMs,
      })
    const view = (stored: ReturnType<typeof createReader>) =>
      readCurrentStatus({
        stored,
        store: { outage: null },
        storeRefusals: 2,
        upstreams: { states: () => [] },
        ownState: { process: 'one', at: now, owners: [] },
        now,
        merchants: [],
      })

    it('is the latest one that was read, with its time, while the store refuses connections', async () => {
      const reader = createReader({ waitMs: 60_000 })
      const first = await reader.read()
      expect([first.readAt, first.unansweredSince]).to.deep.equal([START_MS, null])
      now += 5_000
      using _refused = replaceConnections(db, () =>
        Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
      )
      const second = await reader.read()
      expect(second).to.deep.equal({ status: first.status, readAt: START_MS, unansweredSince: START_MS + 5_000 })
    })

    it('does not wait for a store that hangs, and after three seconds that is an outage', async () => {
      using _hanging = replaceConnections(db, () => new Promise(() => {}))
      const reader = createReader({ waitMs: 1 })
      expect((await view(reader)).storeOutage).to.equal(null)
      now += 3_000
      const { storeOutage, backlog, storedAt } = await view(reader)
      expect([storeOutage, backlog, storedAt]).to.deep.equal([{ ...outage, refusals: 2 }, null, null])
    })

    it('has the incident that ended last within an hour, however many refused keys and other merchants had later ones', async () => {
      const at = (minutes: number) => new Date(START_MS - minutes * 60_000).toISOString()
      const incident = (id: string, lastMinutes: number, endedMinutes: number) => ({
        incident_id: id,
        tenant_id: 'acme',
        mode: 'live' as const,
        system: 'pricing',
        section: 'price',
        began_at: at(90),
        last_at: at(lastMinutes),
        ended_at: at(endedMinutes),
        codes: '{}',
        samples: '[]',
        answers: 1,
      })
      const read = async () => (await createReader({ waitMs: 60_000 }).read()).status!.latestIncident
      await db
        .insertInto('incidents')
        .values(incident('inc_old', 61, 30))
        .execute()
      expect(await read()).to.equal(null)
      const keys = Array.from({ length: 10 }, (_, index) => ({
        ...incident(`inc_key_${index}`, 2, 1),
        system: '',
        section: `key_${String(index).padStart(16, '0')}`,
      }))
      const others = [
        incident('inc_last', 40, 5),
        incident('inc_earlier', 30, 10),
        { ...incident('inc_other', 2, 1), tenant_id: 'other' },
      ]
      await db
        .insertInto('incidents')
        .values([...keys, ...others])
        .execute()
      expect(await read()).to.deep.equal({
        incident_id: 'inc_last',
        tenant_id: 'acme',
        mode: 'live',
        system: 'pricing',
        section: 'price',
        last_at: at(40),
        causes: null,
      })
    })

    it('throws any other error', async () => {
      using _broken = replaceConnections(db, () => Promise.reject(new Error('no such column')))
      const error = await createReader({ waitMs: 60_000 }).read().catch(String)
      expect(error).to.equal('Error: no such column')
    })
  })
