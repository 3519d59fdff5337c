import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { followCircuits } from '../../src/operations/circuit-follower.ts'
import type { Database } from '../../src/storage/database.ts'
import { breakerDefaults } from '../../src/upstream/guard/breaker-limits.ts'
import { createBreaker } from '../../src/upstream/guard/circuit-breaker.ts'
import { createFollowingBreaker, type FollowingBreaker } from '../../src/upstream/guard/following-breaker.ts'
import { stores } from '../support/stores.ts'

for (const store of stores())
  describe(`circuits of several processes, on ${store.name}`, () => {
    let db: Database
    let clock: { ms: number }
    let opened: FollowingBreaker[]
    let name = 0
    before(async () => {
      db = await store.open()
    })
    beforeEach(() => {
      clock = { ms: Date.parse('2026-01-01T00:00:00Z') }
      opened = []
      name += 1
    })
    afterEach(() => {
      for (const breaker of opened) breaker[Symbol.dispose]()
    })
    after(() => store.close())

    /** A process with one circuit, which half-opens when the timers of the test run do. */
    function startProcess() {
      const now = () => clock.ms
      const limits = { ...breakerDefaults, openMs: 1, maxOpenMs: 1, probes: 1 }
      const breaker = createFollowingBreaker(createBreaker(limits, now), now)
      opened.push(breaker)
      const circuits = new Map([[`acme/live/${name}`, breaker.shared]])
      const onError = (error: unknown) => expect.fail(`${error}`)
      return { breaker, ...followCircuits({ db, now, circuits, onError, intervalMs: null }) }
    }

    /** The breaker counts a result in a later turn of the event loop. */
    async function fail(breaker: FollowingBreaker, times: number): Promise<void> {
      for (let call = 0; call < times; call++) breaker.admit()?.fail('HTTP 500')
      await nextTurn()
    }
    async function untilHalfOpen(breaker: FollowingBreaker): Promise<void> {
      while (breaker.shared.ownState !== 'half-open') await new Promise((resolve) => setTimeout(resolve, 1))
    }

    it('opens in all of them when it opens in one, and only that one probes', async () => {
      const [one, other] = [startProcess(), startProcess()]
      await fail(one.breaker, 10)
      expect(one.breaker.state).not.to.equal('closed')
      expect(other.breaker.state).to.equal('closed')
      await one.poll()
      await other.poll()
      expect(other.breaker.state).to.equal('open')
      expect(other.breaker.admit()).to.equal(null)
      await untilHalfOpen(one.breaker)
      await one.poll()
      await other.poll()
      expect(other.breaker.admit()).to.equal(null)
      one.breaker.admit()!.succeed()
      await nextTurn()
      expect(one.breaker.state).to.equal('closed')
      await one.poll()
      await other.poll()
      expect(other.breaker.state).to.equal('closed')
    })

    it('says in all of them what opened it', async () => {
      const [one, other] = [startProcess(), startProcess()]
      await fail(one.breaker, 10)
      await one.poll()
      await other.poll()
      expect(other.breaker.state).to.equal('open')
      expect(other.breaker.openedBy).to.deep.equal(one.breaker.openedBy)
      expect(other.breaker.openedBy.map(({ kind }) => kind)).to.deep.equal(['HTTP 500'])
    })

    it('does not say what opened it at an earlier time, if the process that opened it now does not tell', async () => {
      const other = startProcess()
      await fail(other.breaker, 10)
      await untilHalfOpen(other.breaker)
      other.breaker.admit()!.succeed()
      await nextTurn()
      other.breaker.shared.follow(clock.ms + 1_000, 'of an earlier release')
      expect([other.breaker.state, other.breaker.openedBy]).to.deep.equal(['open', []])
    })

    it('is probed by one of two that have opened it at the same time', async () => {
      const [one, other] = [startProcess(), startProcess()]
      await fail(one.breaker, 10)
      await fail(other.breaker, 10)
      await one.poll()
      await other.poll()
      await untilHalfOpen(one.breaker)
      await untilHalfOpen(other.breaker)
      expect([one.breaker.admit() !== null, other.breaker.admit()]).to.deep.equal([true, null])
    })

    it('is left to another process when the one that opened it dies, where the first failure opens it', async () => {
      const [one, other] = [startProcess(), startProcess()]
      await fail(one.breaker, 10)
      await one.poll()
      await other.poll()
      clock.ms += 2_001
      await other.poll()
      expect(other.breaker.state).to.equal('closed')
      await fail(other.breaker, 1)
      expect(other.breaker.state).not.to.equal('closed')
    })

    it('is left to another process when the one that opened it has no calls to probe with', async () => {
      const [one, other] = [startProcess(), startProcess()]
      await fail(one.breaker, 10)
      await one.poll()
      await untilHalfOpen(one.breaker)
      for (let round = 0; round < 3; round++) await one.poll()
      await other.poll()
      expect(other.breaker.admit()).not.to.equal(null)
    })

    it('is open no longer in a process whose own rare call succeeds, until it opens there too', async () => {
      const [unconnected, healthy] = [startProcess(), startProcess()]
      /** The second of the first call that `healthy` may make, within a minute. */
      async function secondOfAdmission(): Promise<number | null> {
        for (let second = 0; second < 60; second++) {
          await fail(unconnected.breaker, 10)
          await unconnected.poll()
          await healthy.poll()
          if (healthy.breaker.state !== 'open') return second
          expect(healthy.breaker.admit()).to.equal(null)
          clock.ms += 1_000
        }
        return null
      }
      expect(await secondOfAdmission()).to.be.within(20, 40)
      expect(healthy.breaker.state).to.equal('half-open')
      const failed = healthy.breaker.admit()!
      expect([failed.isProbe, healthy.breaker.admit(), healthy.breaker.state]).to.deep.equal([true, null, 'open'])
      failed.fail('HTTP 500')
      failed.succeed()
      expect(await secondOfAdmission()).to.be.within(20, 40)
      healthy.breaker.admit()!.succeed()
      await nextTurn()
      expect(healthy.breaker.state).to.equal('closed')
      for (let interval = 0; interval < 3; interval++) {
        expect(await secondOfAdmission()).to.equal(0)
        clock.ms += 25_000
      }
      // The system is down for both now.
      await fail(healthy.breaker, 10)
      expect(await secondOfAdmission()).to.be.within(20, 40)
    })

    it('is open no longer than the lease of a process that cannot be asked', async () => {
      const [one, other] = [startProcess(), startProcess()]
      await fail(one.breaker, 10)
      await one.poll()
      await other.poll()
      clock.ms += 2_000
      expect(other.breaker.state).to.equal('closed')
    })
  })
