import { expect } from 'chai'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { applyIncidentUpdates, type IncidentUpdate } from '../../../src/storage/diagnostics/incident-updates.ts'
import {
  endIncident,
  endQuietIncidents,
  INCIDENT_IDLE_MS,
  recordSystemResponding,
} from '../../../src/storage/diagnostics/open-incidents.ts'
import { acquireAdvisoryLock } from '../../../src/storage/postgres/acquire-advisory-lock.ts'
import { transact } from '../../../src/storage/transact.ts'
import { stores } from '../../support/stores.ts'
import { untilTrue } from '../../support/until.ts'

const START = Date.parse('2026-11-21T14:05:00.000Z')
const iso = (ms: number) => new Date(ms).toISOString()

const update = (section: string, answers: number, at: number): IncidentUpdate => ({
  tenant_id: 'acme',
  mode: 'live',
  system: 'pricing',
  section,
  answers,
  causes: { 'no response in 700 ms': 1 },
  codes: { downstream_timeout: answers },
  first_at: iso(at),
  last_at: iso(at),
  samples: [],
})

for (const store of stores()) {
  describe(`incident updates over ${store.name}`, () => {
    let dbs: Database[]

    beforeEach(async () => {
      dbs = [await store.open()]
      for (let opened = 0; opened < 3; opened++) dbs.push(await openDatabase(store.url()))
    })
    afterEach(async () => {
      for (const db of dbs.slice(1)) await db.destroy()
      await store.close()
    })

    it('add up, however many processes write and end incidents at once', async () => {
      const sections = ['price', 'tax', 'pricing', 'promotions', 'credit']
      for (let round = 0; round < 8; round++) {
        const at = START + round * (INCIDENT_IDLE_MS + 60_000)
        const writes = dbs.flatMap((db, index) => {
          // Each process in another order.
          const updates = [...sections.slice(index), ...sections.slice(0, index)].map((name) =>
            update(name, 1 + index, at),
          )
          return [
            applyIncidentUpdates(db, updates),
            endQuietIncidents(db, at),
            applyIncidentUpdates(db, updates.slice(2)),
            endQuietIncidents(db, at + INCIDENT_IDLE_MS),
          ]
        })
        await Promise.all(writes)
      }
      const rows = await dbs[0]!.selectFrom('incidents').select(['answers', 'codes', 'ended_at']).execute()
      const total = rows.reduce((sum, { answers }) => sum + answers, 0)
      // 1 + 2 + 3 + 4 for each of five sections, and again for three of each.
      expect(total).to.equal(8 * 10 * (5 + 3))
      for (const { answers, codes } of rows) expect(JSON.parse(codes)).to.deep.equal({ downstream_timeout: answers })
    })

    it('open one incident for each section, also from several processes at once', async () => {
      await Promise.all(dbs.map((db) => applyIncidentUpdates(db, [update('price', 2, START)])))
      const rows = await dbs[0]!.selectFrom('incidents').select('answers').execute()
      expect(rows).to.deep.equal([{ answers: 8 }])
    })

    it('do not add to an incident whose system responded in between', async () => {
      const [db] = dbs as [Database]
      await applyIncidentUpdates(db, [update('checkout', 1, START)])
      const { incident_id } = await db.selectFrom('incidents').select('incident_id').executeTakeFirstOrThrow()
      await endIncident(db, incident_id, iso(START - 1))
      const listEnds = () => db.selectFrom('incidents').select(['answers', 'ended_at']).orderBy('began_at').execute()
      expect(await listEnds(), 'a degraded response followed').to.deep.equal([{ answers: 1, ended_at: null }])
      await endIncident(db, incident_id, iso(START + 10_000))
      await applyIncidentUpdates(db, [update('checkout', 2, START + 60_000)])
      expect(await listEnds()).to.deep.equal([
        { answers: 1, ended_at: iso(START) },
        { answers: 2, ended_at: null },
      ])
    })

    it('keep the latest of the times since which processes have seen a system respond, until one sees it fail', async () => {
      await applyIncidentUpdates(dbs[0]!, [update('checkout', 1, START)])
      const incidents = dbs[0]!.selectFrom('incidents')
      const { incident_id } = await incidents.select('incident_id').executeTakeFirstOrThrow()
      const readSince = async () =>
        (await incidents.select('responding_since').executeTakeFirstOrThrow()).responding_since
      const times = [7, 9, 8, 6].map((seconds) => iso(START + seconds * 1_000))
      await Promise.all(dbs.map((db, index) => recordSystemResponding(db, incident_id, times[index]!)))
      expect(await readSince()).to.equal(times[1])
      await recordSystemResponding(dbs[1]!, incident_id, null)
      expect(await readSince()).to.equal(null)
    })

    it('add up, however many processes end incidents by what they saw meanwhile', async () => {
      const [db] = dbs as [Database]
      for (let round = 0; round < 20; round++) {
        const at = START + round * 60_000
        await applyIncidentUpdates(db, [update('checkout', 1, at)])
        const open = db.selectFrom('incidents').select('incident_id').where('ended_at', 'is', null)
        const { incident_id } = await open.executeTakeFirstOrThrow()
        await Promise.all(
          dbs.flatMap((one) => [
            endIncident(one, incident_id, iso(at + 10_000)),
            applyIncidentUpdates(one, [update('checkout', 1, at + 20_000)]),
          ]),
        )
      }
      const rows = await db.selectFrom('incidents').select(['answers', 'codes', 'ended_at']).execute()
      expect(rows.reduce((sum, { answers }) => sum + answers, 0)).to.equal(20 * (1 + dbs.length))
      for (const { answers, codes } of rows) expect(JSON.parse(codes)).to.deep.equal({ downstream_timeout: answers })
      expect(rows.filter(({ ended_at }) => ended_at === null)).to.have.lengthOf(1)
    })

    if (store.maxServers > 1)
      it('are not read while two processes end an incident at once, and the incident ends once', async () => {
        const [db, ...others] = dbs as [Database, Database, Database, Database]
        await applyIncidentUpdates(db, [update('checkout', 1, START)])
        const incidents = db.selectFrom('incidents')
        const { incident_id } = await incidents.select('incident_id').executeTakeFirstOrThrow()
        const readEnds = () => incidents.select(['answers', 'ended_at', 'responding_since']).execute()
        const waiting = sql<{ count: string }>`select count(*) from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`
        const countWaiting = async () => Number((await waiting.execute(others[2])).rows[0]!.count)
        const since = [iso(START + 10_000), iso(START + 20_000)]
        const ending = await transact(db, async (transaction) => {
          // As an update does that has read the incident, and will write it.
          await acquireAdvisoryLock(transaction, 'incidents')
          const ends = since.map((at, index) => endIncident(others[index]!, incident_id, at))
          await Promise.race([Promise.all(ends), untilTrue(async () => (await countWaiting()) === 2)])
          const open = { answers: 1, ended_at: null, responding_since: null }
          expect(
            await transaction.selectFrom('incidents').select(['answers', 'ended_at', 'responding_since']).execute(),
          ).to.deep.equal([open])
          return { ends }
        })
        await Promise.all(ending.ends)
        const [ended, ...more] = await readEnds()
        expect(more).to.deep.equal([])
        expect([ended!.answers, ended!.ended_at]).to.deep.equal([1, iso(START)])
        expect(since).to.include(ended!.responding_since)
      })
  })
}
