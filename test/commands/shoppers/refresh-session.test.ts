import { expect } from 'chai'
import type { CommandDependencies } from '../../../src/commands/command-context.ts'
import { logOut } from '../../../src/commands/shoppers/log-out.ts'
import { openShopperSession } from '../../../src/commands/shoppers/open-shopper-session.ts'
import { refreshSession } from '../../../src/commands/shoppers/refresh-session.ts'
import { addShopper, generateShopperId, type ShopperAccount } from '../../../src/storage/shoppers/shopper-accounts.ts'
import { findShopperSession } from '../../../src/storage/shoppers/shopper-sessions.ts'
import { tenantColumns } from '../../../src/storage/tenant-columns.ts'
import { transact } from '../../../src/storage/transact.ts'
import { stores } from '../../support/stores.ts'

const tenant = { merchant: 'acme', mode: 'sandbox' } as const

for (const store of stores()) {
  describe(`shopper sessions on ${store.name}`, () => {
    let commerce: CommandDependencies
    let shopper: ShopperAccount

    before(async () => {
      const db = await store.open()
      commerce = { db, now: Date.now } as CommandDependencies
      const of = { email: 'ann@shop.example', password_hash: '', customer_id: 'C-1' }
      shopper = { ...tenantColumns(tenant), ...of, shopper_id: generateShopperId() }
      await addShopper(db, shopper, new Date(), null)
    })
    after(() => store.close())

    const signIn = () => transact(commerce.db, (transaction) => openShopperSession(transaction, shopper, Date.now()))
    const opens = async (token: string) => (await findShopperSession(commerce.db, token)) !== null
    const rows = async () => (await commerce.db.selectFrom('refresh_tokens').select('digest').execute()).length

    it('rotate a refresh token once for concurrent requests, which all get the same tokens', async () => {
      const { refreshToken } = await signIn()
      const before = await rows()
      const sessions = await Promise.all(
        Array.from({ length: 20 }, () => refreshSession(commerce, tenant, refreshToken)),
      )
      expect(new Set(sessions.map((session) => session.refreshToken)).size).to.equal(1)
      expect(await rows()).to.equal(before + 1)
      expect(await opens(sessions[0]!.shopperToken)).to.equal(true)
    })

    it('leave no token behind when one is rotated while its session ends', async () => {
      for (let round = 0; round < 20; round++) {
        const { refreshToken, shopperToken } = await signIn()
        const [rotated] = await Promise.allSettled([
          refreshSession(commerce, tenant, refreshToken),
          logOut(commerce, tenant, refreshToken),
        ])
        expect(await opens(shopperToken)).to.equal(false)
        if (rotated.status === 'rejected') continue
        expect(await opens(rotated.value.shopperToken)).to.equal(false)
        const after = await refreshSession(commerce, tenant, rotated.value.refreshToken).catch((error) => error.code)
        expect(after).to.equal('invalid_refresh_token')
      }
    })

    it('belong to one account when concurrent requests create it', async () => {
      const email = 'bea@shop.example'
      const added = await Promise.all(
        Array.from({ length: 8 }, () =>
          addShopper(commerce.db, { ...shopper, email, shopper_id: generateShopperId() }, new Date(), null),
        ),
      )
      expect(added.filter((one) => one.added)).to.have.length(1)
      expect(new Set(added.map((one) => one.shopper.shopper_id)).size).to.equal(1)
    })
  })
}
