import { expect } from 'chai'
import type { Database } from '../../../src/storage/database.ts'
import { createSharedTokenBucket, type SharedTokenBucket } from '../../../src/upstream/client/shared-token-bucket.ts'
import { createSeededRandom } from '../../crash/seeded-random.ts'
import { stores } from '../../support/stores.ts'

const MINUTE_MS = 60_000

for (const store of stores())
  describe(`a limit of calls per minute for all processes, on ${store.name}`, () => {
    let db: Database
    let clock: { ms: number; setBackMs: number }
    before(async () => {
      db = await store.open()
    })
    beforeEach(() => {
      clock = { ms: Date.parse('2026-01-01T00:00:00Z'), setBackMs: 0 }
    })
    after(() => store.close())

    const clocks = { now: () => clock.ms - clock.setBackMs, monotonicNow: () => clock.ms }
    const onError = (error: unknown): void => expect.fail(`${error}`)
    const startProcess = (system: string, perMinute: number) =>
      createSharedTokenBucket({ db, system, perMinute, ...clocks, onError })

    /** Makes as many calls as it may, up to `wanted`. */
    async function makeCalls(bucket: SharedTokenBucket, wanted: number): Promise<number> {
      let made = 0
      for (let batch = 0; batch < 4 && made < wanted; batch++) {
        while (made < wanted && bucket.take()) made += 1
        if (made < wanted) await bucket.exchange()
      }
      return made
    }

    const mostInAnyMinute = (calls: readonly number[]) =>
      Math.max(...calls.map((from) => calls.filter((at) => at >= from && at < from + MINUTE_MS).length))

    it('holds while processes start, end and are killed, each of which wants all of it', async () => {
      const random = createSeededRandom(Number(process.env.SEED ?? 1))
      const perMinute = 240
      const minutes = store.name === 'SQLite' ? 2.5 : 1.2
      const calls: number[] = []
      let processes = [1, 2, 3].map(() => startProcess('churn', perMinute))
      for (let step = 0; step < minutes * 600; step++) {
        clock.ms += 100
        for (const bucket of processes) {
          const made = await makeCalls(bucket, random.between(0, 4))
          for (let call = 0; call < made; call++) calls.push(clock.ms)
        }
        if (step % 40 !== 39) continue
        const leaving = random.of(processes)
        // One that is killed takes its tokens with it.
        if (random.next() < 0.5) await leaving[Symbol.asyncDispose]()
        processes = [...processes.filter((bucket) => bucket !== leaving), startProcess('churn', perMinute)]
        if (random.next() < 0.2) processes.push(startProcess('churn', perMinute))
      }
      expect(mostInAnyMinute(calls)).to.be.within(perMinute * 0.9, perMinute * 1.05)
      expect(calls.length).to.be.above(minutes * perMinute * 0.85)
    })

    it('holds while each process that starts finds the store slow, and is killed after five seconds', async () => {
      const perMinute = 40
      const calls: number[] = []
      const call = async (bucket: SharedTokenBucket, wanted: number) => {
        for (let made = await makeCalls(bucket, wanted); made > 0; made--) calls.push(clock.ms)
      }
      const others = startProcess('slow starts', perMinute)
      for (let start = 0; start < 16; start++) {
        const bucket = startProcess('slow starts', perMinute)
        const isTaken = bucket.take()
        clock.ms += 301
        for (let made = isTaken || bucket.take(); made; made = bucket.take()) calls.push(clock.ms)
        await bucket.exchange()
        for (const endsAt = clock.ms + 4_699; clock.ms < endsAt; clock.ms += 235)
          for (const caller of [others, bucket]) await call(caller, 1)
      }
      expect(mostInAnyMinute(calls)).to.be.within(perMinute * 0.9, perMinute * 1.05)
    })

    it('leaves to others what a process does not use', async () => {
      const [idle, busy] = [startProcess('idle', 1_200), startProcess('idle', 1_200)]
      for (let second = 0; second < 5; second++) {
        await makeCalls(idle, 8)
        clock.ms += 1_000
      }
      // It holds a batch now, and returns it when it is asked again.
      expect(await makeCalls(idle, 1)).to.equal(1)
      clock.ms += 3_000
      await idle.exchange()
      await idle[Symbol.asyncDispose]()
      let made = 0
      for (let batch = 0; batch < 10; batch++) made += await makeCalls(busy, 60 - made)
      expect(made).to.equal(60)
      expect(busy.take()).to.equal(false)
    })

    it('is not blocked by a time from before the clock was set back', async () => {
      const bucket = startProcess('clock', 60)
      expect(await makeCalls(bucket, 3)).to.equal(3)
      clock.setBackMs = 3_600_000
      expect(await makeCalls(startProcess('clock', 60), 3)).to.equal(3)
    })

    it('is asked for more when the clock has been set back since it was used up', async () => {
      const bucket = startProcess('back', 60)
      expect(await makeCalls(bucket, 3)).to.equal(3)
      expect(bucket.take()).to.equal(false)
      await bucket.exchange()
      expect(bucket.msUntilNext()).to.be.within(50, 1_100)
      clock.setBackMs = 3_600_000
      clock.ms += 1_100
      expect(bucket.msUntilNext()).to.equal(5)
      expect(bucket.take()).to.equal(false)
      await bucket.exchange()
      expect(bucket.take()).to.equal(true)
      await bucket[Symbol.asyncDispose]()
    })

    it('is a tenth of it for each process while the store does not respond', async () => {
      const errors: unknown[] = []
      const broken = {} as Database
      const bucket = createSharedTokenBucket({
        db: broken,
        system: 'outage',
        perMinute: 1_200,
        ...clocks,
        onError: (error) => errors.push(error),
      })
      let made = 0
      for (let step = 0; step < 600; step++) {
        made += await makeCalls(bucket, 5)
        clock.ms += 100
      }
      expect(made).to.be.within(110, 121)
      expect(errors).to.have.length.above(0)
    })

    function startWithHangingStore(system: string) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const query = { select: () => query, where: () => query, executeTakeFirst: () => promise }
      const hanging = { selectFrom: () => query, insertInto: db.insertInto.bind(db) } as unknown as Database
      const bucket = createSharedTokenBucket({ db: hanging, system, perMinute: 1_200, ...clocks, onError })
      return { bucket, respond: resolve }
    }

    it('is a tenth of it for each process while the store hangs', async () => {
      const { bucket, respond } = startWithHangingStore('hang')
      expect(bucket.take()).to.equal(false)
      clock.ms += 300
      expect(bucket.take()).to.equal(false)
      let made = 0
      for (let step = 0; step < 600; step++) {
        clock.ms += 100
        while (bucket.take()) made += 1
      }
      expect(made).to.be.within(110, 121)
      respond()
      await bucket.exchange()
      expect(bucket.take()).to.equal(false)
      await bucket[Symbol.asyncDispose]()
    })

    it('includes the calls that were made while the store was slow', async () => {
      const { bucket, respond } = startWithHangingStore('slow')
      bucket.take()
      clock.ms += 301
      expect(bucket.take()).to.equal(true)
      respond()
      await bucket.exchange()
      // One was granted.
      expect(bucket.take()).to.equal(false)
      await bucket[Symbol.asyncDispose]()
    })
  })
