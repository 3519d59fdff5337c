import { expect } from 'chai'
import { sql } from 'kysely'
import { transact } from '../../src/storage/transact.ts'
import { stores } from '../support/stores.ts'

/** Takes several milliseconds. */
const LONG = sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 200000) select count(*) from numbers`

describe('statements in an SQLite store', () => {
  const [store] = stores()
  afterEach(() => store!.close())

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
})
