import { expect } from 'chai'
import type { Database } from '../../src/storage/database.ts'
import { maxDiagnosticsRows } from '../../src/storage/diagnostics/prune-diagnostics.ts'
import { pruneRequestRecords } from '../../src/storage/diagnostics/prune-request-records.ts'
import { insertRequestRecords } from '../../src/storage/diagnostics/request-records.ts'
import { pruneExpired } from '../../src/storage/prune-expired.ts'
import { stores } from '../support/stores.ts'
import { createDiagnosticsSetup, requestOutcome, START_MS, timedOutSection } from './diagnostics-setup.ts'

const DAY = 86_400_000

for (const store of stores()) {
  describe(`caps of diagnostics over ${store.name}`, () => {
    let db: Database

    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    const rows = async (table: 'request_records' | 'breaker_changes') =>
      (
        await db
          .selectFrom(table as 'request_records')
          .select((of) => of.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
      ).count

    it('keeps the newest records of each merchant and mode, and its share when there are many', async () => {
      const record = (tenant: string | null, mode: 'live' | 'sandbox', number: number) => ({
        ...{
          record_id: `${tenant}-${mode}-${number}`,
          request_id: 'r',
          tenant_id: tenant,
          mode,
          kind: 'slow' as const,
        },
        ...{
          at: new Date(START_MS + number).toISOString(),
          route: 'ping',
          status: 200,
          ms: 1,
          code: null,
          key_id: null,
        },
        document: '{}',
      })
      for (const tenant of ['acme', 'zenith', null])
        for (let number = 0; number < 20; number++) await insertRequestRecords(db, [record(tenant, 'live', number)])
      const before = new Date(START_MS + 3).toISOString()
      const pruned = (limits: { each: number; all: number }) => pruneRequestRecords(db, before, 100, limits)
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
      const scene = createDiagnosticsSetup()
      await using process = scene.process(db)
      process.recordRequest(requestOutcome({ requestId: 'degraded', sections: [timedOutSection('price')] }))
      for (let minute = 0; minute < 60; minute++) {
        for (let time = 0; time < 100; time++)
          process.recordRequest(requestOutcome({ status: 429, sections: undefined }))
        scene.after(60_000)
        await process.flush()
      }
      await pruneRequestRecords(db, new Date(START_MS - 1).toISOString(), 10_000, { each: 100, all: 1_000 })
      const kept = await db.selectFrom('request_records').select('kind').execute()
      expect([kept.length, kept.filter(({ kind }) => kind === 'degraded').length]).to.deep.equal([21, 1])
    })

    it('keeps no more incidents and changes than its caps, the newest', async () => {
      const most = { ...maxDiagnosticsRows }
      const change = (number: number) => ({
        ...{ change_id: `${number}`, tenant_id: 'acme', mode: 'live' as const, system: 'pricing', process: 'one' },
        ...{ at: new Date(START_MS + number).toISOString(), state: 'open' as const, by: null },
      })
      for (let from = 0; from < most.breaker_changes + 500; from += 1_500) {
        const some = Array.from({ length: 1_500 }, (_, at) => change(from + at))
        await db.insertInto('breaker_changes').values(some).execute()
      }
      await pruneExpired(db, START_MS + DAY)
      expect(await rows('breaker_changes')).to.equal(most.breaker_changes)
      const oldest = await db
        .selectFrom('breaker_changes')
        .select((of) => of.fn.min('at').as('at'))
        .executeTakeFirstOrThrow()
      expect(oldest.at).to.equal(new Date(START_MS + 500).toISOString())
    })
  })
}
