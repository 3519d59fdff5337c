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
  describe(`an operator sign-in: ${store.name}`, () => {
    let db: Database
    /** The hashes that passwords were compared with. */
    let comparedHashes: (string | null)[]
    /** The hashing groups of these comparisons. */
    let groups: (string | undefined)[]
    let duringComparison: () => Promise<void>

    beforeEach(async () => {
      db = await store.open()
      comparedHashes = []
      groups = []
      duringComparison = async () => {}
      await addOperator(db, { name: 'ada', role: 'operator', passwordHash: 'right' }, NOW)
    })
    afterEach(() => store.close())

    const createParts = (): OperatorSignInParts => ({
      db,
      throttle: createActionThrottle({ db, now: () => NOW }),
      logger: pino({ level: 'silent' }),
      now: () => NOW,
      passwords: {
        requireCapacity: () => {},
        hash: async (password) => password,
        async matches(password, hash, group) {
          comparedHashes.push(hash)
          groups.push(group)
          await duringComparison()
          return password === hash
        },
      },
    })
    const guess = (parts: OperatorSignInParts, name: string, address: string) =>
      signInOperator(parts, { name, password: 'wrong', address, deviceToken: undefined }).catch((error) => error.code)

    it('counts attempts by address if it is not a loopback address', async () => {
      const parts = createParts()
      for (let count = 0; count < 100; count++) expect(await guess(parts, `n${count}`, '192.0.2.7')).to.equal(null)
      expect(await guess(parts, 'n100', '192.0.2.7')).to.equal('rate_limited')
      expect(await guess(parts, 'n100', '192.0.2.8')).to.equal(null)
    })

    for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])
      it(`counts attempts from ${address} by name only, because SSH tunnels share it`, async () => {
        const parts = createParts()
        for (let count = 0; count < 101; count++) expect(await guess(parts, `n${count}`, address)).to.equal(null)
        for (let count = 0; count < 20; count++) expect(await guess(parts, 'ada', address)).to.equal(null)
        expect(await guess(parts, 'ada', address)).to.equal('rate_limited')
        expect(await guess(parts, 'nobody', address)).to.equal(null)
      })

    const trySignIn = (name: string, password: string) =>
      signInOperator(createParts(), { name, password, address: '127.0.0.1', deviceToken: undefined })
    const listSessions = () => db.selectFrom('operator_sessions').selectAll().execute()
    const findAdaId = async () => (await findOperator(db, 'ada'))!.operator_id

    it('compares a password for unknown names and disabled accounts too', async () => {
      expect((await trySignIn('ada', 'right'))!.sessionToken).to.match(/^\w{43}$/)
      expect(await trySignIn('ada', 'wrong')).to.equal(null)
      expect(await trySignIn('nobody', 'right')).to.equal(null)
      expect(await trySignIn('no\u0000body', 'right')).to.equal(null)
      await updateOperatorAndEndSessions(db, await findAdaId(), { disabled_at: new Date(NOW).toISOString() })
      expect(await trySignIn('ada', 'right')).to.equal(null)
      expect(comparedHashes).to.deep.equal(['right', 'right', null, null, null])
    })

    it('hashes for known browsers apart from all others, whose names may exist or not', async () => {
      const { deviceToken } = (await trySignIn('ada', 'right'))!
      await trySignIn('ada', 'wrong')
      await trySignIn('nobody', 'right')
      await signInOperator(createParts(), { name: 'nobody', password: 'right', address: null, deviceToken })
      await signInOperator(createParts(), { name: 'ada', password: 'wrong', address: null, deviceToken })
      const [stranger, ...rest] = groups
      expect(rest.slice(0, 3)).to.deep.equal([stranger, stranger, stranger])
      expect(rest[3]).to.not.equal(stranger)
    })

    it('opens no session if the password changed or the account was disabled during the comparison', async () => {
      const id = await findAdaId()
      duringComparison = () => updateOperatorAndEndSessions(db, id, { password_hash: 'another' })
      expect(await trySignIn('ada', 'right')).to.equal(null)
      duringComparison = () => updateOperatorAndEndSessions(db, id, { disabled_at: new Date(NOW).toISOString() })
      expect(await trySignIn('ada', 'another')).to.equal(null)
      expect(await listSessions()).to.deep.equal([])
      duringComparison = async () => {}
      await updateOperator(db, id, { disabled_at: null })
      expect((await trySignIn('ada', 'another'))!.sessionToken).to.match(/^\w{43}$/)
      expect(await listSessions()).to.have.length(1)
    })
  })
}
