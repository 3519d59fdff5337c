import { mock } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { transact } from '../../../src/storage/transact.ts'
import { stores } from '../../support/stores.ts'

/** Takes several milliseconds. */
const LONG = sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 200000) select count(*) from numbers`

/** Takes a few milliseconds, but more than one. */
const SHORT = sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 20000) select count(*) from numbers`

describe('statements in an SQLite store', () => {
  const [store] = stores()
  afterEach(() => {
    mock.restoreAll()
    return store!.close()
  })

  for (const isTransaction of [false, true])
    it(`give the event loop a turn after a long one${isTransaction ? ', in a transaction too' : ''}`, async () => {
      const db = await store!.open()
      const order: string[] = []
      setImmediate(() => order.push('request'))
      const run = async (executor: typeof db) => {
        for (const name of ['first', 'second']) order.push(`${name} of ${(await LONG.execute(executor)).rows.length}`)
      }
      await (isTransaction ? transact(db, run) : run(db))
      expect(order).to.deep.equal(['request', 'first of 1', 'second of 1'])
    })

  it('take no more turns than statements, when other work makes the turns long', async () => {
    // A clock on which each statement takes three milliseconds: it goes on whenever it is read.
    let ms = performance.now()
    const clock = mock.method(performance, 'now', () => ++ms)
    const db = await store!.open()
    let turns = 0
    let busy = true
    const work = () => {
      turns += 1
      ms += 60
      if (busy) setImmediate(work)
    }
    setImmediate(work)
    await transact(db, async (transaction) => {
      for (let i = 0; i < 30; i += 1) await SHORT.execute(transaction)
    })
    busy = false
    clock.mock.restore()
    // A turn takes as long as 20 statements: one after each of the 30 would hold the store 20 times as long.
    expect(turns).to.be.within(1, 15)
  })
})
