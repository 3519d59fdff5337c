import { expect } from 'chai'
import type { Problem } from '../../../src/errors.ts'
import { createKeyRateLimiter } from '../../../src/http/limits/key-rate-limiter.ts'
import { createSharedRateLimiter, type SharedRateLimiter } from '../../../src/http/limits/shared-rate-limiter.ts'
import type { Database } from '../../../src/storage/database.ts'
import type { ApiKey } from '../../../src/storage/keys/api-keys.ts'
import { stores } from '../../support/stores.ts'

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
        createSharedRateLimiter(createKeyRateLimiter(), { db, now: () => now, intervalMs: null }),
      )
    })
    afterEach(async () => {
      for (const one of processes) await one[Symbol.asyncDispose]()
      await store.close()
    })

    const allExchange = async () => {
      for (const one of [...processes, ...processes]) await one.exchange()
    }
    const refused = (at: number, key: ApiKey) => {
      try {
        processes[at]!.charge(key)
        return null
      } catch (error) {
        return (error as Problem).code
      }
    }

    it('counts the requests of all processes', async () => {
      const key = keyOf('k', 30)
      for (const one of processes) for (let n = 0; n < 8; n++) one.charge(key)
      await allExchange()
      // Each exchange returns what the other processes have counted.
      for (const one of processes) one.charge(key)
      await allExchange()
      // This process exchanged its counts before the others did.
      expect(processes[0]!.charge(key).remaining).to.equal(30 - 3 * 8 - 2)
      for (let n = 0; n < 4; n++) processes[0]!.charge(key)
      expect(refused(0, key)).to.equal('rate_limited')
      await processes[0]!.exchange()
      processes[1]!.charge(key)
      await processes[1]!.exchange()
      expect(refused(1, key)).to.equal('rate_limited')
    })

    it('shares refunds, and affects no other key', async () => {
      const [key, other] = [keyOf('k', 30), keyOf('other', 30)]
      for (let n = 0; n < 10; n++) {
        const charge = processes[0]!.charge(key)
        if (n < 4) processes[0]!.refund(key, charge)
      }
      processes[1]!.charge(key)
      await allExchange()
      expect(processes[1]!.charge(key).remaining).to.equal(30 - 6 - 2)
      expect(processes[1]!.charge(other).remaining).to.equal(29)
    })

    it('starts a new window after a minute, whichever process counts first', async () => {
      const key = keyOf('k', 30)
      for (let n = 0; n < 20; n++) processes[0]!.charge(key)
      await allExchange()
      now += 60_001
      const later = createSharedRateLimiter(createKeyRateLimiter(), { db, now: () => now, intervalMs: null })
      later.charge(key)
      await later.exchange()
      expect(later.charge(key).remaining).to.equal(28)
      await later[Symbol.asyncDispose]()
    })

    it('loses no count while the store is unavailable', async () => {
      const key = keyOf('k', 30)
      const disconnected = createSharedRateLimiter(createKeyRateLimiter(), {
        db: brokenOnce(db),
        now: () => now,
        intervalMs: null,
      })
      for (let n = 0; n < 10; n++) disconnected.charge(key)
      const failure = await disconnected.exchange().catch((error: Error) => error.message)
      expect(failure).to.equal('away')
      await disconnected.exchange()
      processes[0]!.charge(key)
      await processes[0]!.exchange()
      expect(processes[0]!.charge(key).remaining).to.equal(18)
      await disconnected[Symbol.asyncDispose]()
    })
  })
}

/** A database that fails the first query. */
function brokenOnce(db: Database): Database {
  let attempts = 0
  return new Proxy(db, {
    get(target, name, receiver) {
      if (name === 'insertInto' && attempts++ === 0) throw new Error('away')
      const value = Reflect.get(target, name, receiver)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
