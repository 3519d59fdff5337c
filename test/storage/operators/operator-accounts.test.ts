import { expect } from 'chai'
import type { Database } from '../../../src/storage/database.ts'
import { listAuditLog, setAuditOutcome, writeAuditEntry } from '../../../src/storage/operators/audit-log.ts'
import {
  addOperator,
  findOperator,
  listOperators,
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
import { pruneExpired } from '../../../src/storage/prune-expired.ts'
import { transact } from '../../../src/storage/transact.ts'
import { stores } from '../../support/stores.ts'

const NOW = Date.parse('2026-11-21T14:05:00.000Z')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const iso = (ms: number) => new Date(ms).toISOString()

for (const store of stores()) {
  describe(`the store of operators: ${store.name}`, () => {
    let db: Database
    let ada: OperatorRecord

    beforeEach(async () => {
      db = await store.open()
      ada = (await addOperator(db, { name: 'ada', role: 'support', passwordHash: 'hash' }, NOW))!
    })
    afterEach(() => store.close())

    const open = (token: string, until = NOW + 12 * HOUR_MS) =>
      addOperatorSession(
        db,
        token,
        { operatorId: ada.operator_id, csrf: `csrf of ${token}` },
        { at: iso(NOW), expiresAt: iso(until) },
      )
    const found = (token: string, at = NOW) =>
      findOperatorSession(db, token, { at: iso(at), idleSince: iso(at - HOUR_MS) })

    it('has one account of a name', async () => {
      expect(await addOperator(db, { name: 'ada', role: 'operator', passwordHash: 'other' }, NOW)).to.equal(null)
      expect(await findOperator(db, 'ada')).to.deep.equal({
        ...{ operator_id: ada.operator_id, name: 'ada', role: 'support', password_hash: 'hash' },
        ...{ created_at: iso(NOW), disabled_at: null, last_signed_in_at: null },
      })
      expect(ada.operator_id).to.match(/^opr_\w{16}$/)
      for (const name of ['Ada', '', 'a\u0000', 'x'.repeat(65)]) expect(await findOperator(db, name)).to.equal(null)
      await addOperator(db, { name: 'a.b@c-d_1', role: 'operator', passwordHash: 'h' }, NOW)
      expect((await listOperators(db)).map(({ name }) => name)).to.deep.equal(['a.b@c-d_1', 'ada'])
    })

    it('makes one account of two that are made at once', async () => {
      const made = await Promise.all(
        [1, 2, 3, 4].map(() => addOperator(db, { name: 'ben', role: 'support', passwordHash: 'h' }, NOW)),
      )
      expect(made.filter((record) => record !== null)).to.have.length(1)
    })

    it('finds a session by its token while it holds', async () => {
      await open('one')
      const session = { csrf: 'csrf of one', seenAt: iso(NOW) }
      const operator = { operatorId: ada.operator_id, name: 'ada', role: 'support' }
      expect(await found('one')).to.deep.include({ ...session, operator })
      expect(await found('two')).to.equal(null)
      expect(await found('one', NOW + HOUR_MS)).to.equal(null)
      const { digest } = (await found('one', NOW + HOUR_MS - 1))!
      expect(digest).to.match(/^[0-9a-f]{64}$/)
      await touchOperatorSession(db, digest, iso(NOW + 12 * HOUR_MS - 1))
      expect(await found('one', NOW + 12 * HOUR_MS - 1)).to.deep.include({ operator })
      expect(await found('one', NOW + 12 * HOUR_MS)).to.equal(null)
      await endOperatorSession(db, digest)
      expect(await found('one')).to.equal(null)
    })

    it('knows the role of the moment, and no session of a disabled account', async () => {
      await open('one')
      await updateOperator(db, ada.operator_id, { role: 'operator' })
      expect((await found('one'))!.operator.role).to.equal('operator')
      // Without its sessions being ended, too.
      await db
        .updateTable('operators')
        .set({ disabled_at: iso(NOW) })
        .where('name', '=', 'ada')
        .execute()
      expect(await found('one')).to.equal(null)
    })

    it('ends all sessions with a new password, or with the account', async () => {
      for (const change of [{ password_hash: 'new' }, { disabled_at: iso(NOW) }]) {
        await open('one')
        await open('two')
        await updateOperatorAndEndSessions(db, ada.operator_id, change)
        expect(await db.selectFrom('operator_sessions').selectAll().execute()).to.deep.equal([])
        expect(await findOperator(db, 'ada')).to.deep.include(change)
      }
    })

    it('gives no session to whoever signs in while the password is being changed', async () => {
      const changing = updateOperatorAndEndSessions(db, ada.operator_id, { password_hash: 'new' })
      const signing = transact(db, async (transaction) => {
        const held = await lockOperator(transaction, ada.operator_id)
        if (held?.password_hash !== 'hash') return
        await recordOperatorSignIn(transaction, ada.operator_id, iso(NOW))
        const times = { at: iso(NOW), expiresAt: iso(NOW + HOUR_MS) }
        await addOperatorSession(transaction, 'late', { operatorId: ada.operator_id, csrf: 'c' }, times)
      })
      await Promise.all([changing, signing])
      expect(await found('late')).to.equal(null)
    })

    it('forgets sessions an hour past their end', async () => {
      await open('old', NOW - HOUR_MS - 1)
      await open('new', NOW - 1)
      await pruneExpired(db, NOW)
      const left = await db.selectFrom('operator_sessions').select('csrf').execute()
      expect(left).to.deep.equal([{ csrf: 'csrf of new' }])
    })
  })

  describe(`the audit log: ${store.name}`, () => {
    let db: Database
    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    const entry = (operator: string) =>
      ({
        operator,
        role: 'operator',
        action: 'key.revoke',
        target: { key: 'key_1' },
        outcome: 'failed',
        address: '::1',
      }) as const

    it('keeps what was done and how it ended, for 400 days', async () => {
      await writeAuditEntry(db, entry('old'), NOW - 400 * DAY_MS - 1)
      const kept = await writeAuditEntry(db, entry('ada'), NOW - 399 * DAY_MS)
      const last = await writeAuditEntry(db, entry('ben'), NOW)
      await setAuditOutcome(db, last, 'done')
      await pruneExpired(db, NOW)
      const { target: _, ...rest } = entry('ada')
      expect(await listAuditLog(db, { limit: 9 })).to.deep.equal([
        { ...rest, operator: 'ben', outcome: 'done', entry_id: last, at: iso(NOW), target: '{"key":"key_1"}' },
        { ...rest, entry_id: kept, at: iso(NOW - 399 * DAY_MS), target: '{"key":"key_1"}' },
      ])
    })

    it('is read in pages without a gap, also of one moment, and by who', async () => {
      for (let n = 0; n < 7; n++) await writeAuditEntry(db, entry(n % 2 ? 'ada' : 'ben'), NOW)
      const seen: string[] = []
      let before: { at: string; entry_id: string } | undefined
      for (
        let page = await listAuditLog(db, { limit: 2 });
        page.length > 0;
        page = await listAuditLog(db, { before, limit: 2 })
      ) {
        seen.push(...page.map(({ entry_id }) => entry_id))
        before = page.at(-1)
      }
      expect(new Set(seen).size).to.equal(7)
      expect(seen).to.deep.equal((await listAuditLog(db, { limit: 9 })).map(({ entry_id }) => entry_id))
      expect(await listAuditLog(db, { operator: 'ada', limit: 9 })).to.have.length(3)
    })
  })
}
