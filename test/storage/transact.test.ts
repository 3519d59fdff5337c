import { expect } from 'chai'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { issueApiKey, listApiKeys } from '../../src/storage/keys/api-keys.ts'
import { transact } from '../../src/storage/transact.ts'
import { stores } from '../support/stores.ts'

const WRITERS = 20
const request = { merchant: 'acme', kind: 'secret', mode: 'live' } as const

for (const store of stores()) {
  describe(`transactions over ${store.name}`, () => {
    let db: Database
    let other: Database

    beforeEach(async () => {
      db = await store.open()
      other = await openDatabase(store.url(), { ms: 0 })
    })
    afterEach(async () => {
      await other.destroy()
      await store.close()
    })

    const rateOf = async (keyId: string) => {
      const row = await db.selectFrom('api_keys').select('rate_limit_per_minute').where('key_id', '=', keyId).execute()
      return row[0]?.rate_limit_per_minute
    }

    it('apply all of the work or none', async () => {
      const failure = new Error('no')
      const outcome = await transact(db, async (transaction) => {
        await issueApiKey(transaction, request)
        throw failure
      }).catch((error) => error)
      expect(outcome).to.equal(failure)
      expect(await listApiKeys(db)).to.deep.equal([])
      expect(
        await transact(db, async (transaction) => (await issueApiKey(transaction, request)).record.tenant_id),
      ).to.equal('acme')
      expect(await listApiKeys(db)).to.have.lengthOf(1)
    })

    it('do not include concurrent queries of others', async () => {
      const { promise: blocked, resolve: unblock } = Promise.withResolvers<void>()
      const outcome = transact(db, async (transaction) => {
        await issueApiKey(transaction, request)
        await blocked
        throw new Error('undone')
      }).catch((error: Error) => error.message)
      const listed = listApiKeys(db)
      const issued = issueApiKey(db, { ...request, merchant: 'zenith' })
      unblock()
      expect(await outcome).to.equal('undone')
      expect((await listed).filter(({ tenant_id }) => tenant_id === 'acme')).to.deep.equal([])
      await issued
      expect((await listApiKeys(db)).map(({ tenant_id }) => tenant_id)).to.deep.equal(['zenith'])
    })

    it('serialize two processes that read and then write the same row', async () => {
      const { record } = await issueApiKey(db, { ...request, rate: 1 })
      const increment = (by: Database) =>
        transact(by, async (transaction) => {
          if (store.name === 'PostgreSQL') await sql`set transaction isolation level serializable`.execute(transaction)
          const row = await transaction
            .selectFrom('api_keys')
            .select('rate_limit_per_minute')
            .where('key_id', '=', record.key_id)
            .executeTakeFirstOrThrow()
          // Lets the other process read in between.
          await new Promise(setImmediate)
          await transaction
            .updateTable('api_keys')
            .set({ rate_limit_per_minute: row.rate_limit_per_minute + 1 })
            .where('key_id', '=', record.key_id)
            .execute()
        })
      for (let at = 0; at < WRITERS; at += 4)
        await Promise.all([increment(db), increment(other), increment(db), increment(other)])
      expect(await rateOf(record.key_id)).to.equal(1 + WRITERS)
    })

    it('throw the conflict when work conflicts every time', async () => {
      const conflict = Object.assign(new Error('busy'), { code: '40P01' })
      let attempts = 0
      const outcome = await transact(
        db,
        async () => {
          attempts++
          throw conflict
        },
        () => 0,
      ).catch((error) => error)
      expect(outcome).to.equal(conflict)
      expect(attempts).to.be.within(2, 20)
    })

    it('serve waiting callers in order', async () => {
      const { promise: blocked, resolve: unblock } = Promise.withResolvers<void>()
      const order: number[] = []
      const work = transact(db, () => blocked)
      const queued = Array.from({ length: 50 }, (_, at) =>
        transact(db, async (transaction) => {
          await sql`select ${sql.lit(at)}`.execute(transaction)
          order.push(at)
        }),
      )
      unblock()
      await Promise.all([work, ...queued])
      if (store.name === 'SQLite') expect(order).to.deep.equal(queued.map((_, at) => at))
      else expect(order).to.have.lengthOf(50)
    })
  })
}
