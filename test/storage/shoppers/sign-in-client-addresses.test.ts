import { expect } from 'chai'
import { pruneExpired } from '../../../src/storage/retention/prune-expired.ts'
import { addSignInAddress, isSignInAddress } from '../../../src/storage/shoppers/sign-in-client-addresses.ts'
import { stores } from '../../support/stores.ts'

const NOW = Date.parse('2026-05-01T10:00:00.000Z')
const HOUR_MS = 3_600_000

for (const store of stores()) {
  describe(`sign-in addresses over ${store.name}`, () => {
    afterEach(() => store.close())

    it('are known until they expire, the newest twenty of each shopper', async () => {
      const db = await store.open()
      const add = (digest: string, shopper_id: string, expiresMs: number) =>
        addSignInAddress(db, { digest, shopper_id }, new Date(NOW + expiresMs))
      const known = async (at = NOW) => {
        const rows = await db.selectFrom('sign_in_addresses').select('digest').orderBy('expires_at').execute()
        const checked = await Promise.all(rows.map(({ digest }) => isSignInAddress(db, digest, new Date(at))))
        return rows.filter((_, i) => checked[i]).map(({ digest }) => digest)
      }
      await add('other', 's-2', 1)
      for (let i = 0; i < 25; i++) await add(`address ${i}`, 's-1', HOUR_MS + i)
      await add('address 5', 's-1', 2 * HOUR_MS)
      const newest = ['other', 'address 6', ...Array.from({ length: 18 }, (_, i) => `address ${i + 7}`), 'address 5']
      expect(await known()).to.deep.equal(newest)
      expect(await known(NOW + HOUR_MS + 24)).to.deep.equal(['address 5'])
      await pruneExpired(db, NOW + 2 * HOUR_MS + 25)
      expect(await db.selectFrom('sign_in_addresses').select('digest').execute()).to.deep.equal([
        { digest: 'address 5' },
      ])
    })
  })
}
