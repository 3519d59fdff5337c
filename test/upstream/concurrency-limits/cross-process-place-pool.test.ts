import { spawnSync } from 'node:child_process'
import { expect } from 'chai'
import { replaceCallPlaces, writeCallProcess } from '../../../src/storage/call-places.ts'
import type { Database } from '../../../src/storage/database.ts'
import {
  type CallPlacePool,
  createCallPlacePool,
} from '../../../src/upstream/concurrency-limits/cross-process-place-pool.ts'
import { readProcessIdentity } from '../../../src/upstream/concurrency-limits/process-identity.ts'
import type { SharedPlaces } from '../../../src/upstream/concurrency-limits/shared-places.ts'
import { createSeededRandom } from '../../crash/seeded-random.ts'
import { stores } from '../../support/stores.ts'

const STEP_MS = 50

for (const store of stores())
  describe(`a limit of concurrent calls for all processes, on ${store.name}`, () => {
    let db: Database
    let clockMs = Date.parse('2026-01-01T00:00:00Z')
    let system = 0
    before(async () => {
      db = await store.open()
    })
    beforeEach(() => {
      system += 1
      // Processes of other tests are dead by then.
      clockMs += 600_000
    })
    after(() => store.close())

    /** The system: counts the calls that it has at once. */
    const createErp = () => ({ running: 0, most: 0, served: 0 })
    type Erp = ReturnType<typeof createErp>

    interface Process extends AsyncDisposable {
      pool: CallPlacePool
      places: SharedPlaces
      running: number
      waiting: number
      /** How long its machine was suspended: its monotonic clock did not run meanwhile. */
      suspendedMs: number
      call(): void
      end(): void
      kill(): void
      step(): Promise<void>
    }

    function startProcess(erp: Erp, size: number, on = db, aheadMs = 0): Process {
      let timers: { at: number; run(): void }[] = []
      let isKilled = false
      let process: Process
      const pool = createCallPlacePool({
        db: on,
        now: () => clockMs + aheadMs,
        monotonicNow: () => clockMs - (process?.suspendedMs ?? 0),
        onError: (error) => on === db && expect.fail(`${error}`),
        intervalMs: null,
        schedule: (ms, run) => void timers.push({ at: clockMs + ms, run }),
      })
      const places = pool.placesFor(`acme/live/${system}`, size)
      const begin = () => {
        process.waiting -= 1
        if (isKilled) return
        process.running += 1
        erp.running += 1
        erp.served += 1
        erp.most = Math.max(erp.most, erp.running)
      }
      process = {
        pool,
        places,
        running: 0,
        waiting: 0,
        suspendedMs: 0,
        call() {
          process.waiting += 1
          const place = places.take()
          if (place) void place.then(begin)
          else begin()
        },
        end() {
          process.running -= 1
          erp.running -= 1
          places.leave()
        },
        kill() {
          isKilled = true
          erp.running -= process.running
          process.running = 0
        },
        async step() {
          const due = timers.filter(({ at }) => at <= clockMs)
          timers = timers.filter(({ at }) => at > clockMs)
          for (const { run } of due) run()
          if (clockMs % 250 === 0) await pool.poll()
          await places.exchange()
        },
        [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
      }
      return process
    }

    async function pass(ms: number, processes: readonly Process[], work: () => void = () => {}): Promise<void> {
      for (const until = clockMs + ms; clockMs < until; ) {
        clockMs += STEP_MS
        work()
        for (const process of processes) await process.step()
      }
    }

    function keepBusy(process: Process, calls: number): void {
      endAll(process)
      while (process.waiting < calls) process.call()
    }

    function keepAllBusy(processes: readonly Process[], calls: number): void {
      for (const process of processes) keepBusy(process, calls)
    }

    function endAll(process: Process): void {
      while (process.running > 0) process.end()
    }

    it('holds while processes start, end and are killed, each of which wants all of it', async () => {
      const random = createSeededRandom(Number(process.env.SEED ?? 1))
      const erp = createErp()
      const size = 8
      const steps = store.name === 'SQLite' ? 1_600 : 800
      let processes = [1, 2, 3].map(() => startProcess(erp, size))
      let inUse = 0
      for (let step = 0; step < steps; step++) {
        await pass(STEP_MS, processes, () => {
          for (const one of processes) {
            for (let call = one.running; call > 0; call--) if (random.next() < 0.5) one.end()
            while (one.waiting < random.between(0, size)) one.call()
          }
        })
        inUse += erp.running
        if (step % 60 !== 59) continue
        const leaving = random.of(processes)
        if (random.next() < 0.5) leaving.kill()
        else {
          endAll(leaving)
          leaving.kill()
          await leaving[Symbol.asyncDispose]()
        }
        processes = [...processes.filter((one) => one !== leaving), startProcess(erp, size)]
      }
      expect(erp.most).to.equal(size)
      expect(inUse / steps / size).to.be.above(0.5)
    })

    it('is all for one process that has no others, without waiting', async () => {
      const erp = createErp()
      const alone = startProcess(erp, 4)
      await alone.pool.poll()
      alone.call()
      await alone.step()
      for (let call = 0; call < 3; call++) {
        alone.call()
        expect(alone.waiting).to.equal(0)
      }
      expect(alone.running).to.equal(4)
    })

    it('goes to a busy process within a second, and is divided equally while several are busy', async () => {
      const erp = createErp()
      const [one, other] = [startProcess(erp, 8), startProcess(erp, 8)]
      const both = [one, other]
      await pass(500, both)
      await pass(1_000, both, () => keepBusy(one, 20))
      expect(one.running).to.equal(8)
      await pass(500, both, () => keepAllBusy(both, 20))
      expect([one.running, other.running]).to.deep.equal([4, 4])
      await pass(2_000, both, () => {
        endAll(one)
        keepBusy(other, 20)
      })
      expect([one.running, other.running]).to.deep.equal([0, 8])
      expect(erp.most).to.equal(8)
    })

    it('takes turns when there are fewer places than processes', async () => {
      const erp = createErp()
      const processes = [1, 2, 3].map(() => startProcess(erp, 1))
      const served = processes.map(() => 0)
      await pass(3_000, processes, () =>
        processes.forEach((process, index) => {
          served[index]! += process.running
          keepBusy(process, 2)
        }),
      )
      expect(erp.most).to.equal(1)
      for (const count of served) expect(count).to.be.above(5)
    })

    it('comes back from a killed process within seconds', async () => {
      const erp = createErp()
      const [killed, other] = [startProcess(erp, 4), startProcess(erp, 4)]
      await killed.pool.poll()
      for (let call = 0; call < 4; call++) killed.call()
      await killed.step()
      expect(killed.running).to.equal(4)
      await pass(500, [killed, other])
      killed.kill()
      await pass(3_000, [other], () => keepBusy(other, 4))
      expect(other.running).to.equal(0)
      await pass(3_500, [other], () => keepBusy(other, 4))
      expect(other.running).to.equal(4)
    })

    const itOnLinux = globalThis.process.platform === 'linux' ? it : () => {}
    itOnLinux('comes back at once from a killed process of the same machine', async () => {
      const erp = createErp()
      const { machine } = readProcessIdentity()
      const ended = spawnSync(globalThis.process.execPath, ['--version'])
      const document = JSON.stringify({ machine, pid: ended.pid })
      const at = new Date(clockMs).toISOString()
      await writeCallProcess(db, { name: 'process/killed', document, at })
      const claims = JSON.stringify({ killed: { held: 4, missing: 0 } })
      await replaceCallPlaces(db, { name: `system/acme/live/${system}`, known: 0, document: claims, at })
      const other = startProcess(erp, 4)
      await pass(500, [other], () => keepBusy(other, 4))
      expect(other.running).to.equal(4)
    })

    it('is not exceeded after a time in which the store did not respond', async () => {
      const erp = createErp()
      let isDown = false
      const flaky = new Proxy(db, {
        get(target, name) {
          if (isDown) throw new Error('down')
          const value = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
      const [one, other] = [startProcess(erp, 4, flaky), startProcess(erp, 4, flaky)]
      const both = [one, other]
      const poll = (process: Process) => process.pool.poll().catch(() => {})
      await pass(1_000, both, () => keepAllBusy(both, 4))
      expect([one.running, other.running]).to.deep.equal([2, 2])
      isDown = true
      for (let second = 0; second < 20; second++) {
        clockMs += 1_000
        for (const process of both) {
          keepBusy(process, 4)
          await poll(process)
          await process.places.exchange()
        }
      }
      expect([one.running, other.running]).to.deep.equal([2, 2])
      isDown = false
      // The other one is slower to find out.
      await pass(3_000, [one], () => keepAllBusy(both, 4))
      await pass(1_000, both, () => keepAllBusy(both, 4))
      expect([one.running, other.running, erp.most]).to.deep.equal([2, 2, 4])
    })

    it('is not exceeded by a machine whose clock is some seconds ahead', async () => {
      const erp = createErp()
      const both = [startProcess(erp, 4), startProcess(erp, 4, db, 4_000)]
      await pass(1_000, both, () => keepAllBusy(both, 4))
      await pass(12_000, both, () => void both.map(({ places }) => places.free))
      await pass(2_000, both, () => {
        for (const process of both) while (process.waiting < 4) process.call()
      })
      expect([both[0]!.running, both[1]!.running, erp.most]).to.deep.equal([2, 2, 4])
    })

    it('is shared again after a store that failed when the process started', async () => {
      const erp = createErp()
      let isDown = true
      const flaky = new Proxy(db, {
        get(target, name) {
          if (isDown) throw new Error('down')
          const value = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
      const process = startProcess(erp, 4, flaky)
      for (let call = 0; call < 4; call++) process.call()
      await process.places.exchange()
      isDown = false
      await pass(1_500, [process])
      expect([process.running, process.waiting]).to.deep.equal([4, 0])
    })

    it('leaves one call at a time to a process that has no place while the store hangs', async () => {
      const erp = createErp()
      const hanging = new Proxy(db, { get: () => () => new Promise(() => {}) })
      const process = startProcess(erp, 4, hanging)
      void process.step()
      process.call()
      process.call()
      expect(process.running).to.equal(0)
      clockMs += 1_250
      process.call()
      void process.step()
      await Promise.resolve()
      expect([process.running, process.waiting]).to.deep.equal([1, 2])
    })

    it('is shared again after a failover of the store that lost the latest writes', async () => {
      const erp = createErp()
      const both = [startProcess(erp, 4), startProcess(erp, 4)]
      const name = `system/acme/live/${system}`
      await pass(500, both, () => keepAllBusy(both, 1))
      const replicated = await db.selectFrom('call_places').selectAll().where('name', '=', name).execute()
      await pass(2_000, both, () => {
        endAll(both[0]!)
        keepBusy(both[1]!, 4)
      })
      expect(both[1]!.running).to.equal(4)
      await db.deleteFrom('call_places').where('name', '=', name).execute()
      await db.insertInto('call_places').values(replicated).execute()
      await pass(2_000, both, () => keepAllBusy(both, 4))
      expect(both.map(({ running }) => running)).to.deep.equal([2, 2])
      await db.deleteFrom('call_places').where('name', '=', name).execute()
      await pass(2_000, both, () => keepAllBusy(both, 4))
      expect([both[0]!.running, both[1]!.running, erp.most]).to.deep.equal([2, 2, 4])
    })

    for (const [how, suspendedMs] of [
      ['a process that was stopped', 0],
      ['a machine that was suspended', 8_000],
    ] as const)
      it(`is not exceeded by ${how}`, async () => {
        const erp = createErp()
        const [stopped, other] = [startProcess(erp, 4), startProcess(erp, 4)]
        const both = [stopped, other]
        await pass(1_000, both, () => keepAllBusy(both, 4))
        await pass(1_000, both, () => both.forEach(endAll))
        stopped.call()
        await stopped.step()
        expect(stopped.running).to.equal(1)
        endAll(stopped)
        await pass(8_000, [other], () => keepBusy(other, 4))
        expect(other.running).to.equal(4)
        stopped.suspendedMs = suspendedMs
        stopped.call()
        expect(stopped.running).to.equal(0)
        await pass(1_000, both, () => keepAllBusy(both, 4))
        expect([stopped.running, other.running, erp.most]).to.deep.equal([2, 2, 4])
      })
  })
