import { mock } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { createDiagnostics } from '../../src/diagnostics/diagnostics.ts'
import { listIncidents } from '../../src/diagnostics/incidents.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { stores } from '../support/stores.ts'
import { until } from '../support/until.ts'
import {
  cacheHitOutcome,
  createDiagnosticsSetup,
  requestOutcome,
  START_MS,
  timedOutSection,
} from './diagnostics-setup.ts'

for (const store of stores()) {
  describe(`diagnostics over ${store.name}`, () => {
    afterEach(() => {
      mock.restoreAll()
      return store.close()
    })

    it('write by themselves', async () => {
      const db = await store.open()
      await using diagnostics = createDiagnostics({ db, now: Date.now, process: 'one', onError() {} })
      diagnostics.recordRequest(requestOutcome({ sections: [timedOutSection('price')] }))
      await until('an incident is kept', async () => (await listIncidents(db, { limit: 1 })).incidents.length === 1)
    })

    it('write what is left when they end, and are not told of any more', async () => {
      const db = await store.open()
      const scene = createDiagnosticsSetup()
      const diagnostics = scene.process(db)
      await diagnostics.flush()
      expect(await db.selectFrom('process_states').select('process').execute()).to.deep.equal([{ process: 'one' }])
      diagnostics.recordRequest(requestOutcome({ sections: [timedOutSection('price')] }))
      diagnostics.recordRequest(cacheHitOutcome())
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

    it('write what is left when they end while the store is busy', async () => {
      const db = await store.open()
      const scene = createDiagnosticsSetup()
      const diagnostics = scene.process(db)
      diagnostics.recordRequest(requestOutcome({ sections: [timedOutSection('price')] }))
      await sql`alter table incidents rename to away`.execute(db)
      await sql`alter table timeline rename to gone`.execute(db)
      // The moment for which it tries again does not pass.
      mock.method(performance, 'now', () => 0)
      const ended = diagnostics[Symbol.asyncDispose]()
      await until('it was tried in vain', () => scene.errors.length > 0)
      await sql`alter table away rename to incidents`.execute(db)
      await sql`alter table gone rename to timeline`.execute(db)
      await ended
      expect((await listIncidents(db, { limit: 1 })).incidents.map(({ answers }) => answers)).to.deep.equal([1])
      const sections = db.selectFrom('timeline').select('total').where('section', '=', 'price')
      expect(await sections.execute()).to.deep.equal([{ total: 1 }, { total: 1 }])
    })

    it('never throw, and end, when the store has gone', async () => {
      await store.open()
      const db = await openDatabase(store.url())
      const scene = createDiagnosticsSetup()
      const diagnostics = scene.process(db)
      await db.destroy()
      diagnostics.recordRequest(requestOutcome({ sections: [timedOutSection('price')] }))
      await diagnostics.flush()
      let at = 0
      mock.method(performance, 'now', () => (at += 500))
      await diagnostics[Symbol.asyncDispose]()
      expect(scene.errors.length).to.be.within(1, 2)
    })

    it('tell other processes at once of what is new, and now and then of what is counted on', async () => {
      const db = await store.open()
      const scene = createDiagnosticsSetup()
      const diagnostics = scene.process(db)
      const toldAt = async () => {
        await diagnostics.flush()
        return Date.parse((await db.selectFrom('process_states').select('at').executeTakeFirstOrThrow()).at) - START_MS
      }
      const told: number[] = []
      for (let time = 0; time < 9; time++) {
        diagnostics.recordRequest(
          time === 5 ? requestOutcome({ sections: [timedOutSection('price')] }) : cacheHitOutcome(),
        )
        told.push(await toldAt())
        scene.after(500)
      }
      expect(told).to.deep.equal([0, 0, 0, 0, 2_000, 2_500, 2_500, 2_500, 2_500])
      await diagnostics[Symbol.asyncDispose]()
    })

    it('know at once what they were told', async () => {
      const db = await store.open()
      const diagnostics = createDiagnosticsSetup().process(db)
      diagnostics.recordRequest(cacheHitOutcome())
      diagnostics.recordCircuitTransition('acme/live', 'accounting', 'open')
      expect(diagnostics.processState()).to.deep.equal({
        ...{ process: 'one', at: START_MS },
        owners: [
          {
            ...{ tenant: 'acme', mode: 'live', answers: 1, degraded: 0, shown: [] },
            systems: [{ system: 'accounting', open: true, calls: 0, failed: 0, latency: new Array(14).fill(0) }],
          },
        ],
      })
      await diagnostics[Symbol.asyncDispose]()
    })
  })
}
