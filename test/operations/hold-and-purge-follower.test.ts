import { expect } from 'chai'
import { createHoldAndPurgeFollower, type HoldAndPurgeFollower } from '../../src/operations/hold-and-purge-follower.ts'
import type { Database } from '../../src/storage/database.ts'
import { addCachePurge, addCircuitHold, type CircuitKey } from '../../src/storage/operators/holds-and-purges.ts'
import { deleteExpiredRows } from '../../src/storage/retention/delete-expired-rows.ts'
import { stores } from '../support/stores.ts'

const NOW = Date.parse('2026-11-21T14:00:00.000Z')
const MINUTE = 60_000
const pricing: CircuitKey = { merchant: 'acme', mode: 'live', circuit: 'pricing' }
const NOW_PURGE = { merchant: 'acme', mode: 'live', skus: null, by: 'ann' } as const
const never = 3_600_000

for (const store of stores()) {
  describe(`holds and purges over ${store.name}`, () => {
    let db: Database
    let at: number
    let done: string[]
    let errors: unknown[]
    let running: HoldAndPurgeFollower[]

    beforeEach(async () => {
      db = await store.open()
      at = NOW
      done = []
      errors = []
      running = []
    })
    afterEach(async () => {
      for (const one of running) await one[Symbol.asyncDispose]()
      await store.close()
    })

    function process(name: string, knows: (system: string) => boolean = () => true): HoldAndPurgeFollower {
      const directives = createHoldAndPurgeFollower({
        db,
        now: () => at,
        intervalMs: never,
        onError: (error) => errors.push(error),
        hold(_tenant, system, hold) {
          if (knows(system)) done.push(`${name} ${system} ${hold ? `${hold.state} by ${hold.by}` : 'free'}`)
          return knows(system)
        },
        purge: (merchant, mode, skus) => done.push(`${name} purge ${merchant}/${mode} ${skus ?? 'all'}`),
        onHoldTransition: ({ merchant, mode, circuit }, turn, by) =>
          done.push(`${name} told ${merchant}/${mode} ${circuit} ${turn} ${by ?? 'nobody'}`),
      })
      running.push(directives)
      return directives
    }
    /** It has looked of itself, as each does when it begins. */
    async function begun(name: string): Promise<HoldAndPurgeFollower> {
      const directives = process(name)
      await directives.poll()
      return directives
    }
    const hold = (state: 'open' | 'closed' | null, minutes: number, by = 'ann') =>
      addCircuitHold(db, pricing, { state, untilMs: at + minutes * MINUTE, by, now: at })
    const told = () => done.splice(0)

    it('are applied once by every process', async () => {
      const [one, other] = [await begun('one'), await begun('other')]
      await hold('open', 5)
      await one.poll()
      await other.poll()
      await one.poll()
      expect(told()).to.deep.equal([
        'one pricing open by ann',
        'one told acme/live pricing held_open ann',
        'other pricing open by ann',
        'other told acme/live pricing held_open ann',
      ])
    })

    it('are applied by a process that could not reach the store, however long', async () => {
      const one = process('one')
      await one.poll()
      const away = { ...NOW_PURGE, now: at + MINUTE }
      await addCachePurge(db, away)
      at += 60 * MINUTE
      await one.poll()
      await one.poll()
      expect(told()).to.deep.equal(['one purge acme/live all'])
    })

    it('apply to a process that starts later', async () => {
      await hold('open', 60)
      at += 50 * MINUTE
      await process('late').poll()
      expect(told()).to.deep.equal(['late pricing open by ann', 'late told acme/live pricing held_open ann'])
    })

    it('expire without an operator', async () => {
      const one = process('one')
      await hold('closed', 5)
      await one.poll()
      told()
      at += 5 * MINUTE
      await one.poll()
      await one.poll()
      expect(told()).to.deep.equal(['one pricing free', 'one told acme/live pricing released nobody'])
    })

    it('expire while the store is unreachable', async () => {
      const one = process('one')
      await hold('open', 5)
      await one.poll()
      told()
      await db.schema.alterTable('directives').renameTo('gone').execute()
      at += 5 * MINUTE
      await one.poll()
      expect(told()).to.deep.equal(['one pricing free', 'one told acme/live pricing released nobody'])
      expect(errors).to.have.lengthOf(1)
    })

    it('are released by an operator', async () => {
      const one = process('one')
      await hold('open', 5)
      await one.poll()
      told()
      at += 1_000
      await hold(null, 0, 'ben')
      await one.poll()
      await one.poll()
      expect(told()).to.deep.equal(['one pricing free', 'one told acme/live pricing released ben'])
    })

    it('change from open to closed at once; the newest counts', async () => {
      const one = process('one')
      await hold('open', 60)
      await one.poll()
      told()
      at += 1_000
      await hold('closed', 2, 'ben')
      await one.poll()
      at += 2 * MINUTE
      await one.poll()
      expect(told()).to.deep.equal([
        'one pricing closed by ben',
        'one told acme/live pricing held_closed ben',
        'one pricing free',
        'one told acme/live pricing released nobody',
      ])
    })

    it('apply the last one stored, also from a process whose clock is behind', async () => {
      const one = await begun('one')
      await hold('open', 60)
      at -= 4_000
      await hold('closed', 30, 'ben')
      at += 4_000
      await one.poll()
      expect(told()).to.deep.equal(['one pricing closed by ben', 'one told acme/live pricing held_closed ben'])
      at -= 4_000
      await hold(null, 0, 'cy')
      at += 1_000
      await one.poll()
      expect(told()).to.deep.equal(['one pricing free', 'one told acme/live pricing released cy'])
    })

    it('for a circuit that a process does not have are left to the others', async () => {
      const one = process('one', () => false)
      await hold('open', 5)
      await one.poll()
      at += 5 * MINUTE
      await one.poll()
      expect(told()).to.deep.equal([])
    })

    it('purge the caches of each process once', async () => {
      const one = process('one')
      await addCachePurge(db, { merchant: 'acme', mode: 'live', skus: ['BP-1', 'BP-2'], by: 'ann', now: at })
      await one.poll()
      at += 1
      await addCachePurge(db, { merchant: null, mode: null, skus: null, by: 'ann', now: at })
      await one.poll()
      await one.poll()
      expect(told()).to.deep.equal(['one purge acme/live BP-1,BP-2', 'one purge null/null all'])
    })

    it('are deleted after thirty days', async () => {
      await addCachePurge(db, { merchant: null, mode: null, skus: null, by: 'ann', now: at })
      await hold('open', 60)
      at += 30 * 86_400_000
      expect(await deleteExpiredRows(db, 'directives', at, 100)).to.equal(0)
      expect(await deleteExpiredRows(db, 'directives', at + 1, 100)).to.equal(2)
    })
  })
}
