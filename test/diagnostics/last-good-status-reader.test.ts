import { expect } from 'chai'
import { readCurrentStatus } from '../../src/diagnostics/status/current-status.ts'
import { createLastGoodStatusReader } from '../../src/diagnostics/status/last-good-status-reader.ts'
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
  describe(`the last good status over ${store.name}`, () => {
    let db: Database
    let now: number
    const outage = { beganAt: START_MS, reason: 'the store does not respond', isUnreachable: true }

    beforeEach(async () => {
      db = await store.open()
      now = START_MS
    })
    afterEach(() => store.close())

    const createReader = (parts: { outage?: typeof outage | null; waitMs: number }) =>
      createLastGoodStatusReader({
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

    it('throws any other error', async () => {
      using _broken = replaceConnections(db, () => Promise.reject(new Error('no such column')))
      const error = await createReader({ waitMs: 60_000 }).read().catch(String)
      expect(error).to.equal('Error: no such column')
    })
  })
