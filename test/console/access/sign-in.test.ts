import { expect } from 'chai'
import { pino } from 'pino'
import { createActionThrottle } from '../../../src/commands/action-throttle.ts'
import { type OperatorSignInParts, signInOperator } from '../../../src/console/access/sign-in.ts'
import type { Database } from '../../../src/storage/database.ts'
import {
  addOperator,
  findOperator,
  updateOperator,
  updateOperatorAndEndSessions,
} from '../../../src/storage/operators/operator-accounts.ts'
import { stores } from '../../support/stores.ts'

const NOW = Date.parse('2026-11-21T14:05:00.000Z')

for (const store of stores()) {
  describe(`a sign-in: ${store.name}`, () => {
    let db: Database
    /** What passwords were compared with. */
    let compared: (string | null)[]
    let meanwhile: () => Promise<void>

    beforeEach(async () => {
      db = await store.open()
      compared = []
      meanwhile = async () => {}
      await addOperator(db, { name: 'ada', role: 'operator', passwordHash: 'right' }, NOW)
    })
    afterEach(() => store.close())

    const parts = (): OperatorSignInParts => ({
      ...{ db, throttle: createActionThrottle(), logger: pino({ level: 'silent' }), now: () => NOW },
      passwords: {
        hash: async (password) => password,
        async matches(password, hash) {
          compared.push(hash)
          await meanwhile()
          return password === hash
        },
      },
    })
    const guess = (parts: OperatorSignInParts, name: string, address: string) =>
      signInOperator(parts, { name, password: 'wrong', address, mark: undefined }).catch((error) => error.code)

    it('counts tries by address where they come from elsewhere', async () => {
      const of = parts()
      for (let at = 0; at < 100; at++) expect(await guess(of, `n${at}`, '192.0.2.7')).to.equal(null)
      expect(await guess(of, 'n100', '192.0.2.7')).to.equal('rate_limited')
      expect(await guess(of, 'n100', '192.0.2.8')).to.equal(null)
    })

    for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])
      it(`counts tries from ${address}, as everybody's through SSH are, by name alone`, async () => {
        const of = parts()
        for (let at = 0; at < 101; at++) expect(await guess(of, `n${at}`, address)).to.equal(null)
        for (let at = 0; at < 20; at++) expect(await guess(of, 'ada', address)).to.equal(null)
        expect(await guess(of, 'ada', address)).to.equal('rate_limited')
        expect(await guess(of, 'nobody', address)).to.equal(null)
      })

    const tried = (name: string, password: string) =>
      signInOperator(parts(), { name, password, address: '127.0.0.1', mark: undefined })
    const sessions = () => db.selectFrom('operator_sessions').selectAll().execute()
    const idOfAda = async () => (await findOperator(db, 'ada'))!.operator_id

    it('takes the same work for names that are not there, and for accounts that are disabled', async () => {
      expect((await tried('ada', 'right'))!.token).to.match(/^\w{43}$/)
      expect(await tried('ada', 'wrong')).to.equal(null)
      expect(await tried('nobody', 'right')).to.equal(null)
      expect(await tried('no\u0000body', 'right')).to.equal(null)
      await updateOperatorAndEndSessions(db, await idOfAda(), { disabled_at: new Date(NOW).toISOString() })
      expect(await tried('ada', 'right')).to.equal(null)
      expect(compared).to.deep.equal(['right', 'right', null, null, null])
    })

    it('opens nothing when the password or the account ended while it was compared', async () => {
      const id = await idOfAda()
      meanwhile = () => updateOperatorAndEndSessions(db, id, { password_hash: 'another' })
      expect(await tried('ada', 'right')).to.equal(null)
      meanwhile = () => updateOperatorAndEndSessions(db, id, { disabled_at: new Date(NOW).toISOString() })
      expect(await tried('ada', 'another')).to.equal(null)
      expect(await sessions()).to.deep.equal([])
      meanwhile = async () => {}
      await updateOperator(db, id, { disabled_at: null })
      expect((await tried('ada', 'another'))!.token).to.match(/^\w{43}$/)
      expect(await sessions()).to.have.length(1)
    })
  })
}
