import { expect } from 'chai'
import type { Database } from '../../../src/storage/database.ts'
import { listAuditLog, setAuditOutcome, writeAuditEntry } from '../../../src/storage/operators/audit-log.ts'
import { pruneExpired } from '../../../src/storage/retention/prune-expired.ts'
import { stores } from '../../support/stores.ts'

const NOW = Date.parse('2026-11-21T14:05:00.000Z')
const DAY_MS = 86_400_000
const iso = (ms: number) => new Date(ms).toISOString()

for (const store of stores()) {
  describe(`the audit log over ${store.name}`, () => {
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

    it('keeps actions and their outcomes for 400 days', async () => {
      await writeAuditEntry(db, entry('old'), NOW - 400 * DAY_MS - 1)
      const older = await writeAuditEntry(db, entry('ada'), NOW - 399 * DAY_MS)
      const last = await writeAuditEntry(db, entry('ben'), NOW)
      await setAuditOutcome(db, last, 'done')
      await pruneExpired(db, NOW)
      const { target: _, ...rest } = entry('ada')
      expect(await listAuditLog(db, { limit: 9 })).to.deep.equal([
        { ...rest, operator: 'ben', outcome: 'done', entry_id: last, at: iso(NOW), target: '{"key":"key_1"}' },
        { ...rest, entry_id: older, at: iso(NOW - 399 * DAY_MS), target: '{"key":"key_1"}' },
      ])
    })

    it('is read in pages without gaps, also within one millisecond, and by operator', async () => {
      for (let n = 0; n < 7; n++) await writeAuditEntry(db, entry(n % 2 ? 'ada' : 'ben'), NOW)
      const ids: string[] = []
      let before: { at: string; entry_id: string } | undefined
      for (
        let page = await listAuditLog(db, { limit: 2 });
        page.length > 0;
        page = await listAuditLog(db, { before, limit: 2 })
      ) {
        ids.push(...page.map(({ entry_id }) => entry_id))
        before = page.at(-1)
      }
      expect(new Set(ids).size).to.equal(7)
      expect(ids).to.deep.equal((await listAuditLog(db, { limit: 9 })).map(({ entry_id }) => entry_id))
      expect(await listAuditLog(db, { operator: 'ada', limit: 9 })).to.have.length(3)
    })
  })
}
