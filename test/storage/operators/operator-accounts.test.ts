import { expect } from 'chai'
import type { Database } from '../../../src/storage/database.ts'
import {
  addOperator,
  findOperator,
  listOperators,
  type OperatorRecord,
} from '../../../src/storage/operators/operator-accounts.ts'
import { stores } from '../../support/stores.ts'

const NOW = Date.parse('2026-11-21T14:05:00.000Z')

for (const store of stores()) {
  describe(`operator accounts over ${store.name}`, () => {
    let db: Database
    let ada: OperatorRecord

    beforeEach(async () => {
      db = await store.open()
      ada = (await addOperator(db, { name: 'ada', role: 'support', passwordHash: 'hash' }, NOW))!
    })
    afterEach(() => store.close())

    it('allows one account for each name', async () => {
      expect(await addOperator(db, { name: 'ada', role: 'operator', passwordHash: 'other' }, NOW)).to.equal(null)
      expect(await findOperator(db, 'ada')).to.deep.equal({
        operator_id: ada.operator_id,
        name: 'ada',
        role: 'support',
        password_hash: 'hash',
        created_at: new Date(NOW).toISOString(),
        disabled_at: null,
        last_signed_in_at: null,
      })
      expect(ada.operator_id).to.match(/^opr_\w{16}$/)
      for (const name of ['Ada', '', 'a\u0000', 'x'.repeat(65)]) expect(await findOperator(db, name)).to.equal(null)
      await addOperator(db, { name: 'a.b@c-d_1', role: 'operator', passwordHash: 'h' }, NOW)
      expect((await listOperators(db)).map(({ name }) => name)).to.deep.equal(['a.b@c-d_1', 'ada'])
    })

    it('creates one account of several concurrent ones', async () => {
      const added = await Promise.all(
        [1, 2, 3, 4].map(() => addOperator(db, { name: 'ben', role: 'support', passwordHash: 'h' }, NOW)),
      )
      expect(added.filter((record) => record !== null)).to.have.length(1)
    })
  })
}
