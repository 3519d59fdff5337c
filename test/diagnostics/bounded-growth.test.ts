import { expect } from 'chai'
import type { Diagnostics } from '../../src/diagnostics/diagnostics.ts'
import type { FinishedRequest } from '../../src/diagnostics/finished-request.ts'
import type { Database } from '../../src/storage/database.ts'
import { pruneExpired } from '../../src/storage/retention/prune-expired.ts'
import { stores } from '../support/stores.ts'
import {
  callTrace,
  type DiagnosticsSetup,
  finishedRequest,
  okSection,
  openDiagnosticsForEach,
  timedOutSection,
} from './diagnostics-setup.ts'

const acmeLive = { merchant: 'acme', mode: 'live' } as const
const HOUR = 3_600_000

for (const store of stores()) {
  describe(`growth of diagnostics over ${store.name}`, () => {
    let db: Database
    let setup: DiagnosticsSetup
    let process: Diagnostics

    openDiagnosticsForEach(store, (opened) => {
      ;({ db, setup, process } = opened)
    })

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
      Object.values(counts).reduce((total, count) => total + count, 0)

    // Both stores have the same rows: SQLite gets more rounds per day, PostgreSQL larger bursts.
    const [PER_DAY, BURSTS, EACH] = store.name === 'SQLite' ? [3, 2, 840] : ([1, 3, 1_680] as const)

    it('is bounded after two hundred thousand degraded responses in forty days', async () => {
      const ROUNDS = PER_DAY * 40
      const sections = ['price', 'tax', 'availability']
      const requests: FinishedRequest[] = sections.map((name) => finishedRequest({ sections: [timedOutSection(name)] }))
      let [observed, before] = [0, 0]
      for (let round = 0; round < ROUNDS; round++) {
        process.recordCircuitTransition(acmeLive, 'pricing', round % 2 === 0 ? 'open' : 'closed')
        for (let burst = 0; burst < BURSTS; burst++) {
          for (let time = 0; time < EACH; time++) process.recordRequest(requests[time % 3]!)
          observed += EACH
          setup.advance(20_000)
        }
        process.recordCall(acmeLive, callTrace())
        process.recordRequest(finishedRequest({ sections: sections.map((name) => okSection(name)) }))
        setup.advance((24 / PER_DAY) * HOUR - BURSTS * 20_000)
        await process.flush()
        await pruneExpired(db, setup.now)
        if (round === PER_DAY * 30) before = sum(await all())
      }
      expect(observed).to.be.at.least(200_000)
      const left = await all()
      // Series of all responses, sections and calls: an hour per round for thirty days, and its first two minutes for two days.
      expect(left.timeline).to.be.at.most((30 + 2 * 2) * PER_DAY * 5 + 10)
      expect(left.incidents).to.be.within(29 * PER_DAY * 3, 30 * PER_DAY * 3)
      // The share of the 20,000 records that is reserved for degraded requests.
      expect(left.records).to.equal(Math.min(12_000, 30 * PER_DAY * 300))
      expect(left.changes).to.be.at.most(30 * PER_DAY + 1)
      expect(left.days).to.be.at.most(31)
      expect(sum(left)).to.be.at.most(before)
      const { most } = await db
        .selectFrom('incidents')
        .select((of) => of.fn.max('answers').as('most'))
        .executeTakeFirstOrThrow()
      expect(most).to.equal((BURSTS * EACH) / 3)
      expect(setup.errors).to.deep.equal([])
    }).timeout(600_000)
  })
}
