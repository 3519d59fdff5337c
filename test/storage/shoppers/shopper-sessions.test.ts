import { expect } from 'chai'
import { sha256Hex } from '../../../src/security/sha256.ts'
import { findShopperSession } from '../../../src/storage/shoppers/shopper-sessions.ts'
import { tenantColumns } from '../../../src/storage/tenant-columns.ts'
import { stores } from '../../support/stores.ts'

const NOW = new Date('2026-05-01T10:00:00.000Z')
const EXPIRY = new Date('2026-05-01T11:00:00.000Z')

for (const store of stores()) {
  describe(`shopper sessions over ${store.name}`, () => {
    afterEach(() => store.close())

    it('are found by their tokens until they expire or are revoked', async () => {
      const db = await store.open()
      const session = { merchant: 'acme', mode: 'live', customer_id: 'C-1' } as const
      const row = {
        ...tenantColumns(session),
        customer_id: session.customer_id,
        created_at: NOW.toISOString(),
        expires_at: EXPIRY.toISOString(),
      }
      await db
        .insertInto('shopper_sessions')
        .values([
          { ...row, digest: sha256Hex('token'), revoked_at: null },
          { ...row, digest: sha256Hex('revoked'), revoked_at: NOW.toISOString() },
          { ...row, digest: sha256Hex('revoked by a fast clock'), revoked_at: EXPIRY.toISOString() },
        ])
        .execute()
      expect(await findShopperSession(db, 'token', NOW)).to.deep.equal(session)
      expect(await findShopperSession(db, 'token', EXPIRY)).to.equal(null)
      expect(await findShopperSession(db, 'revoked', NOW)).to.equal(null)
      expect(await findShopperSession(db, 'revoked by a fast clock', NOW)).to.equal(null)
      expect(await findShopperSession(db, 'unknown', NOW)).to.equal(null)
    })
  })
}
