import { expect } from 'chai'
import { prune } from '../../src/commands/prune.ts'
import type { Diagnostics } from '../../src/diagnostics/diagnostics.ts'
import type { Outcome } from '../../src/diagnostics/outcome.ts'
import type { Database } from '../../src/storage/database.ts'
import { mostRows } from '../../src/storage/diagnostics-prune.ts'
import { pruneRecords } from '../../src/storage/record-prune.ts'
import { insertRecords } from '../../src/storage/request-records.ts'
import { stores } from '../support/stores.ts'
import { answer, call, createScene, type Scene, START, timedOut, well } from './scene.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

for (const store of stores()) {
  describe(`what diagnostics leave over ${store.name}`, () => {
    let db: Database
    let scene: Scene
    let process: Diagnostics

    beforeEach(async () => {
      db = await store.emptied()
      scene = createScene()
      process = scene.process(db)
    })
    afterEach(async () => {
      await process[Symbol.asyncDispose]()
    })
    after(() => store.close())

    const rows = async (table: 'incidents' | 'timeline' | 'request_records' | 'breaker_changes' | 'key_days') =>
      (
        await db
          .selectFrom(table as 'incidents')
          .select((of) => of.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
      ).count
    const all = async () => ({
      incidents: await rows('incidents'),
      timeline: await rows('timeline'),
      records: await rows('request_records'),
      changes: await rows('breaker_changes'),
      days: await rows('key_days'),
    })

    const sum = (counts: Awaited<ReturnType<typeof all>>) =>
      Object.values(counts).reduce((total, one) => total + one, 0)

    // What answers leave is the same rows in both: one of them is shown that many.
    const [PER_DAY, BURSTS, EACH, MANY] =
      store.name === 'SQLite' ? [3, 3, 27_780, 'ten million'] : ([1, 3, 8_340, 'a million'] as const)

    it(`is bounded after ${MANY} degraded answers in forty days`, async () => {
      const ROUNDS = PER_DAY * 40
      const sections = ['price', 'tax', 'availability']
      const outcomes: Outcome[] = sections.map((name) => answer({ sections: [timedOut(name)] }))
      let [observed, before] = [0, 0]
      for (let round = 0; round < ROUNDS; round++) {
        process.turned('acme/live', 'pricing', round % 2 === 0 ? 'open' : 'closed')
        for (let burst = 0; burst < BURSTS; burst++) {
          for (let time = 0; time < EACH; time++) process.observe(outcomes[time % 3]!)
          observed += EACH
          scene.after(20_000)
        }
        process.called('acme/live', call())
        process.observe(answer({ sections: sections.map((name) => well(name)) }))
        scene.after((24 / PER_DAY) * HOUR - BURSTS * 20_000)
        await process.flush()
        await prune(db, scene.now)
        if (round === PER_DAY * 30) before = sum(await all())
      }
      expect(observed).to.be.at.least(store.name === 'SQLite' ? 10_000_000 : 1_000_000)
      const left = await all()
      // All answers, the sections and the calls: an hour of each round for thirty days, and its first two minutes for two days.
      expect(left.timeline).to.be.at.most((30 + 2 * 2) * PER_DAY * 5 + 10)
      expect(left.incidents).to.be.within(29 * PER_DAY * 3, 30 * PER_DAY * 3)
      // Of twenty thousand, those that are for what was degraded.
      expect(left.records).to.equal(Math.min(12_000, 30 * PER_DAY * 300))
      expect(left.changes).to.be.at.most(30 * PER_DAY + 1)
      expect(left.days).to.be.at.most(31)
      expect(sum(left)).to.be.at.most(before)
      const { most } = await db
        .selectFrom('incidents')
        .select((of) => of.fn.max('answers').as('most'))
        .executeTakeFirstOrThrow()
      expect(most).to.equal((BURSTS * EACH) / 3)
      expect(scene.errors).to.deep.equal([])
    }).timeout(240_000)

    it('keeps the newest records of each merchant and mode, and its share when there are many', async () => {
      const record = (tenant: string | null, mode: 'live' | 'sandbox', number: number) => ({
        ...{
          record_id: `${tenant}-${mode}-${number}`,
          request_id: 'r',
          tenant_id: tenant,
          mode,
          kind: 'slow' as const,
        },
        ...{ at: new Date(START + number).toISOString(), route: 'ping', status: 200, ms: 1, code: null, key_id: null },
        document: '{}',
      })
      for (const tenant of ['acme', 'zenith', null])
        for (let number = 0; number < 20; number++) await insertRecords(db, [record(tenant, 'live', number)])
      const before = new Date(START + 3).toISOString()
      const pruned = (limits: { each: number; all: number }) => pruneRecords(db, before, 100, limits)
      // A fifth of them is for those that were slow.
      expect(await pruned({ each: 500, all: 5_000 })).to.equal(3)
      expect(await rows('request_records')).to.equal(51)
      await pruned({ each: 50, all: 5_000 })
      expect(await rows('request_records')).to.equal(30)
      await pruned({ each: 50, all: 60 })
      const kept = await db.selectFrom('request_records').select('record_id').orderBy('record_id').execute()
      expect(kept.map(({ record_id }) => record_id)).to.deep.equal(
        ['acme', 'null', 'zenith'].flatMap((tenant) => [16, 17, 18, 19].map((number) => `${tenant}-live-${number}`)),
      )
    })

    it('keeps what was degraded, however many were refused since', async () => {
      process.observe(answer({ requestId: 'degraded', sections: [timedOut('price')] }))
      for (let minute = 0; minute < 60; minute++) {
        for (let time = 0; time < 100; time++) process.observe(answer({ status: 429, sections: undefined }))
        scene.after(60_000)
        await process.flush()
      }
      await pruneRecords(db, new Date(START - 1).toISOString(), 10_000, { each: 100, all: 1_000 })
      const kept = await db.selectFrom('request_records').select('kind').execute()
      expect([kept.length, kept.filter(({ kind }) => kind === 'degraded').length]).to.deep.equal([21, 1])
    }).timeout(20_000)

    it('keeps no more incidents and changes than its caps, the newest', async () => {
      const most = { ...mostRows }
      const change = (number: number) => ({
        ...{ change_id: `${number}`, tenant_id: 'acme', mode: 'live' as const, system: 'pricing', process: 'one' },
        ...{ at: new Date(START + number).toISOString(), state: 'open' as const, by: null },
      })
      for (let from = 0; from < most.breaker_changes + 500; from += 500) {
        const some = Array.from({ length: 500 }, (_, at) => change(from + at))
        await db.insertInto('breaker_changes').values(some).execute()
      }
      await prune(db, START + DAY)
      expect(await rows('breaker_changes')).to.equal(most.breaker_changes)
      const oldest = await db
        .selectFrom('breaker_changes')
        .select((of) => of.fn.min('at').as('at'))
        .executeTakeFirstOrThrow()
      expect(oldest.at).to.equal(new Date(START + 500).toISOString())
    }).timeout(60_000)
  })
}
