import { expect } from 'chai'
import type { Database } from '../../src/storage/database.ts'
import { readStoreTime, startStoreClock } from '../../src/storage/store-clock.ts'
import { stores } from '../support/stores.ts'

describe('the clock of a store', () => {
  const postgres = stores().find(({ maxServers }) => maxServers > 1)
  const MINUTE = 60_000

  it('is the machine’s own on SQLite', async () => {
    const sqlite = stores()[0]!
    await using clock = await startStoreClock({ db: await sqlite.open(), now: () => 5 })
    expect(clock.now()).to.equal(5)
    await sqlite.close()
  })

  if (!postgres) return
  describe('on PostgreSQL', () => {
    let db: Database
    beforeEach(async () => {
      db = await postgres.open()
    })
    afterEach(() => postgres.close())

    /** Returns by how much a clock differs from the store's, rounded to minutes: the machine may be slow. */
    async function differenceOf({ now }: { now(): number }): Promise<number> {
      const difference = Math.round((now() - (await readStoreTime(db))) / MINUTE)
      return difference === 0 ? 0 : difference
    }

    it('is the same on machines whose clocks differ', async () => {
      for (const minutes of [-10, -2, 0, 2, 10]) {
        await using clock = await startStoreClock({ db, now: () => Date.now() + minutes * MINUTE, intervalMs: null })
        expect(await differenceOf(clock), String(minutes)).to.equal(0)
      }
    })

    it('follows when the clock of the machine is set, and not while the store fails', async () => {
      const machine = { ahead: 0, stoppedAt: null as number | null }
      const now = () => (machine.stoppedAt ?? Date.now()) + machine.ahead
      await using clock = await startStoreClock({ db, now, intervalMs: null })
      machine.ahead = 10 * MINUTE
      await clock.compare()
      expect(await differenceOf(clock)).to.equal(0)
      machine.stoppedAt = Date.now()
      const before = clock.now() - now()
      await postgres.close()
      await clock.compare().catch(() => {})
      expect(clock.now() - now()).to.equal(before)
      db = await postgres.open()
    })
  })
})
