import { expect } from 'chai'
import type { Database } from '../../src/storage/database.ts'
import { maxDiagnosticsRows } from '../../src/storage/diagnostics/prune-diagnostics.ts'
import { pruneRequestRecords } from '../../src/storage/diagnostics/prune-request-records.ts'
import { insertRequestRecords } from '../../src/storage/diagnostics/request-records.ts'
import { pruneExpired } from '../../src/storage/retention/prune-expired.ts'
import { stores } from '../support/stores.ts'
import { createDiagnosticsSetup, finishedRequest, START_MS, timedOutSection } from './diagnostics-setup.ts'

const DAY = 86_400_000

for (const store of stores()) {
  describe(`limits of stored diagnostics over ${store.name}`, () => {
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

    it('keep the newest records of each merchant and mode, with a fair share when there are many', async () => {
      const record = (tenant: string | null, mode: 'live' | 'sandbox', number: number) => ({
        record_id: `${tenant}-${mode}-${number}`,
        request_id: 'r',
        tenant_id: tenant,
        mode,
        kind: 'slow' as const,
        at: new Date(START_MS + number).toISOString(),
        route: 'ping',
        status: 200,
        ms: 1,
        code: null,
        key_id: null,
        customer_id: null,
        skus: null,
        section_codes: null,
        document: '{}',
      })
      for (const tenant of ['acme', 'zenith', null])
        for (let number = 0; number < 20; number++) await insertRequestRecords(db, [record(tenant, 'live', number)])
      const before = new Date(START_MS + 3).toISOString()
      const pruned = (limits: { each: number; all: number }) => pruneRequestRecords(db, before, 100, limits)
      // A fifth of the records is reserved for slow requests.
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

    it('keep degraded records however many refused ones follow', async () => {
      const setup = createDiagnosticsSetup()
      await using process = setup.createProcess(db)
      process.recordRequest(finishedRequest({ requestId: 'degraded', sections: [timedOutSection('price')] }))
      for (let minute = 0; minute < 60; minute++) {
        for (let time = 0; time < 100; time++)
          process.recordRequest(finishedRequest({ status: 429, sections: undefined }))
        setup.advance(60_000)
        await process.flush()
      }
      await pruneRequestRecords(db, new Date(START_MS - 1).toISOString(), 10_000, { each: 100, all: 1_000 })
      const kept = await db.selectFrom('request_records').select('kind').execute()
      expect([kept.length, kept.filter(({ kind }) => kind === 'degraded').length]).to.deep.equal([21, 1])
    })

    it('keep only the newest incidents and changes', async () => {
      const most = { ...maxDiagnosticsRows }
      const change = (number: number) => ({
        change_id: `${number}`,
        tenant_id: 'acme',
        mode: 'live' as const,
        system: 'pricing',
        process: 'one',
        at: new Date(START_MS + number).toISOString(),
        state: 'open' as const,
        by: null,
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
