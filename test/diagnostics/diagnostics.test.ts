import { mock } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { createDiagnostics } from '../../src/diagnostics/diagnostics.ts'
import { listIncidents } from '../../src/diagnostics/reports/incidents.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { stores } from '../support/stores.ts'
import { until } from '../support/until.ts'
import {
  createDiagnosticsSetup,
  finishedCacheHit,
  finishedRequest,
  START_MS,
  timedOutSection,
} from './diagnostics-setup.ts'

const acmeLive = { merchant: 'acme', mode: 'live' } as const
for (const store of stores()) {
  describe(`diagnostics over ${store.name}`, () => {
    afterEach(() => {
      mock.restoreAll()
      return store.close()
    })

    it('are written by a timer', async () => {
      const db = await store.open()
      await using diagnostics = createDiagnostics({ db, now: Date.now, process: 'one', onError() {} })
      diagnostics.recordRequest(finishedRequest({ sections: [timedOutSection('price')] }))
      await until('an incident is stored', async () => (await listIncidents(db, { limit: 1 })).incidents.length === 1)
    })

    it('write what is left on shutdown, and nothing afterwards', async () => {
      const db = await store.open()
      const setup = createDiagnosticsSetup()
      const diagnostics = setup.createProcess(db)
      await diagnostics.flush()
      expect(await db.selectFrom('process_states').select('process').execute()).to.deep.equal([{ process: 'one' }])
      diagnostics.recordRequest(finishedRequest({ sections: [timedOutSection('price')] }))
      diagnostics.recordRequest(finishedCacheHit())
      await diagnostics[Symbol.asyncDispose]()
      expect((await listIncidents(db, { limit: 1 })).incidents).to.have.lengthOf(1)
      const { total } = await db
        .selectFrom('timeline')
        .select('total')
        .where('step', '=', 'hour')
        .where('system', '=', '')
        .executeTakeFirstOrThrow()
      expect(total).to.equal(2)
      expect(await db.selectFrom('process_states').select('process').execute()).to.deep.equal([])
    })

    it('write what is left on shutdown while the store is busy', async () => {
      const db = await store.open()
      const setup = createDiagnosticsSetup()
      const diagnostics = setup.createProcess(db)
      diagnostics.recordRequest(finishedRequest({ sections: [timedOutSection('price')] }))
      await sql`alter table incidents rename to away`.execute(db)
      await sql`alter table timeline rename to gone`.execute(db)
      // The time limit of the retries does not pass.
      mock.method(performance, 'now', () => 0)
      const ended = diagnostics[Symbol.asyncDispose]()
      await until('a write failed', () => setup.errors.length > 0)
      await sql`alter table away rename to incidents`.execute(db)
      await sql`alter table gone rename to timeline`.execute(db)
      await ended
      expect((await listIncidents(db, { limit: 1 })).incidents.map(({ answers }) => answers)).to.deep.equal([1])
      const sections = db.selectFrom('timeline').select('total').where('section', '=', 'price')
      expect(await sections.execute()).to.deep.equal([{ total: 1 }, { total: 1 }])
    })

    it('never throw, and shut down, when the store is gone', async () => {
      await store.open()
      const db = await openDatabase(store.url())
      const setup = createDiagnosticsSetup()
      const diagnostics = setup.createProcess(db)
      await db.destroy()
      diagnostics.recordRequest(finishedRequest({ sections: [timedOutSection('price')] }))
      await diagnostics.flush()
      let at = 0
      mock.method(performance, 'now', () => (at += 500))
      await diagnostics[Symbol.asyncDispose]()
      expect(setup.errors.length).to.be.within(1, 2)
    })

    it('share new conditions with other processes at once, and counts less often', async () => {
      const db = await store.open()
      const setup = createDiagnosticsSetup()
      const diagnostics = setup.createProcess(db)
      const writtenAt = async () => {
        await diagnostics.flush()
        return Date.parse((await db.selectFrom('process_states').select('at').executeTakeFirstOrThrow()).at) - START_MS
      }
      const times: number[] = []
      for (let time = 0; time < 9; time++) {
        diagnostics.recordRequest(
          time === 5 ? finishedRequest({ sections: [timedOutSection('price')] }) : finishedCacheHit(),
        )
        times.push(await writtenAt())
        setup.advance(500)
      }
      expect(times).to.deep.equal([0, 0, 0, 0, 2_000, 2_500, 2_500, 2_500, 2_500])
      await diagnostics[Symbol.asyncDispose]()
    })

    it('know at once what was recorded', async () => {
      const db = await store.open()
      const diagnostics = createDiagnosticsSetup().createProcess(db)
      diagnostics.recordRequest(finishedCacheHit())
      diagnostics.recordCircuitTransition(acmeLive, 'accounting', 'open')
      expect(diagnostics.processState()).to.deep.equal({
        process: 'one',
        at: START_MS,
        failing: { sections: [], systems: [] },
        owners: [
          {
            tenant: 'acme',
            mode: 'live',
            answers: 1,
            degraded: 0,
            shown: [],
            systems: [{ system: 'accounting', open: true, calls: 0, failed: 0, latency: new Array(14).fill(0) }],
          },
        ],
      })
      await diagnostics[Symbol.asyncDispose]()
    })
  })
}
