import { expect } from 'chai'
import { createActionThrottle } from '../../src/commands/action-throttle.ts'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { pruneExpired } from '../../src/storage/retention/prune-expired.ts'
import { stores } from '../support/stores.ts'

const tenant = { merchant: 'acme', mode: 'live' } as const
const QUARTER_HOUR_MS = 900_000
const subject = ['ann@shop.example', 'address', '203.0.113.9']

for (const store of stores()) {
  describe(`the action throttle over ${store.name}`, () => {
    let db: Database
    let nowMs: number
    beforeEach(async () => {
      nowMs = Date.parse('2026-11-21T12:00:00.000Z')
      db = await store.open()
    })
    afterEach(() => store.close())

    const create = (on = db, aheadMs = 0) => createActionThrottle({ db: on, now: () => nowMs + aheadMs })
    const rows = () => db.selectFrom('attempt_counters').select('count').execute()
    const useUp = async (throttle = create()) => {
      for (let taken = 0; ; taken++) if (!(await throttle.tryTake('logins', tenant, subject))) return taken
    }

    it('allows a number of attempts in a window, and says how long to wait', async () => {
      expect(await useUp()).to.equal(20)
      nowMs += 60_000
      const refused = await create()
        .take('logins', tenant, subject)
        .catch((error) => error)
      expect(refused).to.include({ code: 'rate_limited', limit: 'logins' })
      expect(refused.headers).to.deep.equal({ 'Retry-After': '840' })
      nowMs += QUARTER_HOUR_MS - 60_000
      expect(await useUp()).to.equal(20)
    })

    it('counts concurrent attempts of two processes on the store, whose clocks differ', async () => {
      const elsewhere = await openDatabase(store.url())
      const [one, other] = [create(), create(elsewhere, 90_000)]
      const attempts = Array.from({ length: 30 }, (_, i) => (i % 2 ? one : other).tryTake('logins', tenant, subject))
      const allowed = await Promise.all(attempts)
      await elsewhere.destroy()
      expect(allowed.filter(Boolean)).to.have.length(20)
    })

    it('counts actions, tenants and subjects apart', async () => {
      await useUp()
      const throttle = create()
      for (const [action, of, whom] of [
        ['resets', tenant, subject],
        ['logins', { ...tenant, mode: 'sandbox' }, subject],
        ['logins', { ...tenant, merchant: 'zenith' }, subject],
        ['logins', tenant, 'ann@shop.example'],
        ['logins', tenant, ['ann@shop.example', 'device', '203.0.113.9']],
      ] as const)
        expect(await throttle.tryTake(action, of, whom)).to.equal(true)
    })

    it('counts an IPv6 network as one address', async () => {
      const from = (address: string) => create().tryTake('resets', tenant, ['ann@shop.example', address])
      for (let i = 0; i < 5; i++) expect(await from(`2001:db8:0:7::${i}`)).to.equal(true)
      expect([await from('2001:db8:0:7:9::9'), await from('2001:db8:0:8::9')]).to.deep.equal([false, true])
    })

    it('gives back one attempt, or all', async () => {
      await useUp()
      const throttle = create()
      await throttle.refund('logins', tenant, subject)
      await throttle.refund('logins', tenant, subject)
      expect(await throttle.tryTake('logins', tenant, subject)).to.equal(true)
      expect(await throttle.tryTake('logins', tenant, subject)).to.equal(false)
      await throttle.reset('logins', tenant, subject)
      expect(await useUp()).to.equal(20)
      await throttle.refund('logins', tenant, 'never counted')
    })

    it('does not refuse for longer than a window after the clock was set back', async () => {
      await useUp()
      nowMs -= 86_400_000
      expect(await useUp()).to.equal(20)
    })

    it('does not count an unknown client address', async () => {
      const throttle = create()
      for (let i = 0; i < 200; i++) await throttle.take('loginsByAddress', tenant, null)
      await throttle.refund('loginsByAddress', tenant, null)
      expect(await rows()).to.deep.equal([])
    })

    it('deletes counters once their window is over', async () => {
      for (let i = 0; i < 300; i++) await create().take('logins', tenant, [`${i}@invented.example`, '203.0.113.9'])
      nowMs += QUARTER_HOUR_MS + 1
      await pruneExpired(db, nowMs)
      expect(await rows()).to.deep.equal([])
    })
  })
}
