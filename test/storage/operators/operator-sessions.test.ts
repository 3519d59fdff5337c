import { expect } from 'chai'
import type { Database } from '../../../src/storage/database.ts'
import {
  addOperator,
  findOperator,
  lockOperator,
  type OperatorRecord,
  recordOperatorSignIn,
  updateOperator,
  updateOperatorAndEndSessions,
} from '../../../src/storage/operators/operator-accounts.ts'
import {
  addOperatorSession,
  endOperatorSession,
  findOperatorSession,
  touchOperatorSession,
} from '../../../src/storage/operators/operator-sessions.ts'
import { pruneExpired } from '../../../src/storage/retention/prune-expired.ts'
import { transact } from '../../../src/storage/transact.ts'
import { stores } from '../../support/stores.ts'

const NOW = Date.parse('2026-11-21T14:05:00.000Z')
const HOUR_MS = 3_600_000
const iso = (ms: number) => new Date(ms).toISOString()

for (const store of stores()) {
  describe(`operator sessions over ${store.name}`, () => {
    let db: Database
    let ada: OperatorRecord

    beforeEach(async () => {
      db = await store.open()
      ada = (await addOperator(db, { name: 'ada', role: 'support', passwordHash: 'hash' }, NOW))!
    })
    afterEach(() => store.close())

    const add = (token: string, until = NOW + 12 * HOUR_MS) =>
      addOperatorSession(
        db,
        token,
        { operatorId: ada.operator_id, csrf: `csrf of ${token}` },
        { at: iso(NOW), expiresAt: iso(until) },
      )
    const find = (token: string, at = NOW) =>
      findOperatorSession(db, token, { at: iso(at), idleSince: iso(at - HOUR_MS) })

    it('ends the sessions of a disabled account, however far the clock of the disabling process is ahead', async () => {
      await add('one')
      await updateOperatorAndEndSessions(db, ada.operator_id, { disabled_at: iso(NOW + 90_000) })
      expect(await find('one')).to.equal(null)
      await add('two')
      expect(await find('two')).to.equal(null)
    })

    it('finds a session by its token until it expires or is idle', async () => {
      await add('one')
      const session = { csrf: 'csrf of one', seenAt: iso(NOW) }
      const operator = { operatorId: ada.operator_id, name: 'ada', role: 'support' }
      expect(await find('one')).to.deep.include({ ...session, operator })
      expect(await find('two')).to.equal(null)
      expect(await find('one', NOW + HOUR_MS)).to.equal(null)
      const { digest } = (await find('one', NOW + HOUR_MS - 1))!
      expect(digest).to.match(/^[0-9a-f]{64}$/)
      await touchOperatorSession(db, digest, iso(NOW + 12 * HOUR_MS - 1))
      expect(await find('one', NOW + 12 * HOUR_MS - 1)).to.deep.include({ operator })
      expect(await find('one', NOW + 12 * HOUR_MS)).to.equal(null)
      await endOperatorSession(db, digest)
      expect(await find('one')).to.equal(null)
    })

    it('has the current role, and finds no session of a disabled account', async () => {
      await add('one')
      await updateOperator(db, ada.operator_id, { role: 'operator' })
      expect((await find('one'))!.operator.role).to.equal('operator')
      // Its sessions are not ended here.
      await db
        .updateTable('operators')
        .set({ disabled_at: iso(NOW) })
        .where('name', '=', 'ada')
        .execute()
      expect(await find('one')).to.equal(null)
    })

    it('ends all sessions when the password changes or the account is disabled', async () => {
      for (const change of [{ password_hash: 'new' }, { disabled_at: iso(NOW) }]) {
        await add('one')
        await add('two')
        await updateOperatorAndEndSessions(db, ada.operator_id, change)
        expect(await db.selectFrom('operator_sessions').selectAll().execute()).to.deep.equal([])
        expect(await findOperator(db, 'ada')).to.deep.include(change)
      }
    })

    it('adds no session for a sign-in that overlaps a password change', async () => {
      const change = updateOperatorAndEndSessions(db, ada.operator_id, { password_hash: 'new' })
      const signIn = transact(db, async (transaction) => {
        const operator = await lockOperator(transaction, ada.operator_id)
        if (operator?.password_hash !== 'hash') return
        await recordOperatorSignIn(transaction, ada.operator_id, iso(NOW))
        const times = { at: iso(NOW), expiresAt: iso(NOW + HOUR_MS) }
        await addOperatorSession(transaction, 'late', { operatorId: ada.operator_id, csrf: 'c' }, times)
      })
      await Promise.all([change, signIn])
      expect(await find('late')).to.equal(null)
    })

    it('prunes sessions an hour after they expire', async () => {
      await add('old', NOW - HOUR_MS - 1)
      await add('new', NOW - 1)
      await pruneExpired(db, NOW)
      const left = await db.selectFrom('operator_sessions').select('csrf').execute()
      expect(left).to.deep.equal([{ csrf: 'csrf of new' }])
    })
  })
}
