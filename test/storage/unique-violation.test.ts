import { expect } from 'chai'
import type { Database } from '../../src/storage/database.ts'
import { issueApiKey } from '../../src/storage/keys/api-keys.ts'
import { isUniqueViolation } from '../../src/storage/store-errors.ts'
import { transact } from '../../src/storage/transact.ts'
import { stores } from '../support/stores.ts'

for (const store of stores()) {
  describe(`errors of ${store.name}: isUniqueViolation`, () => {
    let db: Database

    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    it('tells a unique violation from any other error', async () => {
      const { record } = await issueApiKey(db, { merchant: 'acme', kind: 'secret', mode: 'live' })
      const row = await db
        .selectFrom('api_keys')
        .selectAll()
        .where('key_id', '=', record.key_id)
        .executeTakeFirstOrThrow()
      const insert = (change: object) => {
        const values = { ...row, ...change }
        return transact(db, (transaction) => transaction.insertInto('api_keys').values(values).execute()).catch(
          (e) => e,
        )
      }
      expect(isUniqueViolation(await insert({ digest: 'another' })), 'primary key').to.equal(true)
      expect(isUniqueViolation(await insert({ key_id: 'another' })), 'unique column').to.equal(true)
      const incomplete = await insert({ key_id: 'third', digest: 'third', hint: null })
      expect(incomplete).to.be.instanceOf(Error)
      expect(isUniqueViolation(incomplete), 'not null').to.equal(false)
      expect(isUniqueViolation('23505')).to.equal(false)
    })
  })
}
