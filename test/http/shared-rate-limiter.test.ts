import { expect } from 'chai'
import { createRateLimiter } from '../../src/http/rate-limiter.ts'
import { createSharedRateLimiter, type SharedRateLimiter } from '../../src/http/shared-rate-limiter.ts'
import type { Database } from '../../src/storage/database.ts'
import type { ApiKey } from '../../src/storage/keys/api-keys.ts'
import { stores } from '../support/stores.ts'

const keyOf = (key_id: string, limit: number) => ({ key_id, rate_limit_per_minute: limit }) as ApiKey

for (const store of stores()) {
  describe(`a key's limit in several processes over ${store.name}`, () => {
    let db: Database
    let now: number
    let processes: SharedRateLimiter[]

    beforeEach(async () => {
      db = await store.open()
      now = Date.now()
      processes = Array.from({ length: 3 }, () =>
        createSharedRateLimiter(createRateLimiter(), { db, now: () => now, intervalMs: null }),
      )
    })
    afterEach(async () => {
      for (const one of processes) await one[Symbol.asyncDispose]()
      await store.close()
    })

    const allExchange = async () => {
      for (const one of [...processes, ...processes]) await one.exchange()
    }
    const refused = (at: number, key: ApiKey) =>
      processes[at]!.charge(key).then(
        () => null,
        (error: { code: string }) => error.code,
      )

    it('is counted together', async () => {
      const key = keyOf('k', 30)
      for (const one of processes) for (let n = 0; n < 8; n++) await one.charge(key)
      await allExchange()
      // Who serves a request learns with it what the others have served.
      for (const one of processes) await one.charge(key)
      await allExchange()
      // It told of its own before the others told of theirs.
      expect((await processes[0]!.charge(key)).remaining).to.equal(30 - 3 * 8 - 2)
      for (let n = 0; n < 4; n++) await processes[0]!.charge(key)
      expect(await refused(0, key)).to.equal('rate_limited')
      await processes[0]!.exchange()
      await processes[1]!.charge(key)
      await processes[1]!.exchange()
      expect(await refused(1, key)).to.equal('rate_limited')
    })

    it('gives back what was refunded, and touches no other key', async () => {
      const [key, other] = [keyOf('k', 30), keyOf('other', 30)]
      for (let n = 0; n < 10; n++) {
        const charge = await processes[0]!.charge(key)
        if (n < 4) await processes[0]!.refund(key, charge)
      }
      await processes[1]!.charge(key)
      await allExchange()
      expect((await processes[1]!.charge(key)).remaining).to.equal(30 - 6 - 2)
      expect((await processes[1]!.charge(other)).remaining).to.equal(29)
    })

    it('begins anew after its minute, whoever counts first', async () => {
      const key = keyOf('k', 30)
      for (let n = 0; n < 20; n++) await processes[0]!.charge(key)
      await allExchange()
      now += 60_001
      const later = createSharedRateLimiter(createRateLimiter(), { db, now: () => now, intervalMs: null })
      await later.charge(key)
      await later.exchange()
      expect((await later.charge(key)).remaining).to.equal(28)
      await later[Symbol.asyncDispose]()
    })

    it('loses no count while the store is away', async () => {
      const key = keyOf('k', 30)
      const away = createSharedRateLimiter(createRateLimiter(), {
        db: brokenOnce(db),
        now: () => now,
        intervalMs: null,
      })
      for (let n = 0; n < 10; n++) await away.charge(key)
      const failure = await away.exchange().catch((error: Error) => error.message)
      expect(failure).to.equal('away')
      await away.exchange()
      await processes[0]!.charge(key)
      await processes[0]!.exchange()
      expect((await processes[0]!.charge(key)).remaining).to.equal(18)
      await away[Symbol.asyncDispose]()
    })
  })
}

/** Fails the first time that it is asked. */
function brokenOnce(db: Database): Database {
  let asked = 0
  return new Proxy(db, {
    get(target, name, receiver) {
      if (name === 'insertInto' && asked++ === 0) throw new Error('away')
      const value = Reflect.get(target, name, receiver)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
