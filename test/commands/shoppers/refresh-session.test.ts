import { expect } from 'chai'
import type { CommandDependencies } from '../../../src/commands/command-context.ts'
import { logOut } from '../../../src/commands/shoppers/log-out.ts'
import { refreshSession } from '../../../src/commands/shoppers/refresh-session.ts'
import { openShopperSession } from '../../../src/commands/shoppers/shopper-session.ts'
import { addShopper, generateShopperId, type ShopperAccount } from '../../../src/storage/shoppers/shopper-accounts.ts'
import { findShopperSession } from '../../../src/storage/shoppers/shopper-sessions.ts'
import { transact } from '../../../src/storage/transact.ts'
import { stores } from '../../support/stores.ts'

const REALM = { tenant_id: 'acme', mode: 'sandbox' } as const

for (const store of stores()) {
  describe(`a refresh token over ${store.name}`, () => {
    let commerce: CommandDependencies
    let shopper: ShopperAccount

    before(async () => {
      const db = await store.open()
      commerce = { db, now: Date.now } as CommandDependencies
      const of = { email: 'ann@shop.example', password_hash: '', customer_id: 'C-1' }
      shopper = { ...REALM, ...of, shopper_id: generateShopperId() }
      await addShopper(db, shopper, new Date(), null)
    })
    after(() => store.close())

    const signIn = () => transact(commerce.db, (transaction) => openShopperSession(transaction, shopper, Date.now()))
    const opens = async (token: string) => (await findShopperSession(commerce.db, token)) !== null
    const rows = async () => (await commerce.db.selectFrom('refresh_tokens').select('digest').execute()).length

    it('is rotated by one of many at once, and the others are given the same', async () => {
      const { refreshToken } = await signIn()
      const before = await rows()
      const given = await Promise.all(Array.from({ length: 20 }, () => refreshSession(commerce, REALM, refreshToken)))
      expect(new Set(given.map((session) => session.refreshToken)).size).to.equal(1)
      expect(await rows()).to.equal(before + 1)
      expect(await opens(given[0]!.shopperToken)).to.equal(true)
    })

    it('leaves nothing behind when it is rotated while its sign-in is ended', async () => {
      for (let round = 0; round < 20; round++) {
        const { refreshToken, shopperToken } = await signIn()
        const [rotated] = await Promise.allSettled([
          refreshSession(commerce, REALM, refreshToken),
          logOut(commerce, REALM, refreshToken),
        ])
        expect(await opens(shopperToken)).to.equal(false)
        if (rotated.status === 'rejected') continue
        expect(await opens(rotated.value.shopperToken)).to.equal(false)
        const after = await refreshSession(commerce, REALM, rotated.value.refreshToken).catch((error) => error.code)
        expect(after).to.equal('invalid_refresh_token')
      }
    })

    it('adds an account once, of many at once', async () => {
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
