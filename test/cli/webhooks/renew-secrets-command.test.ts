import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openedSecret } from '../../../src/webhooks/create-signing-secret.ts'
import { listAudit } from '../../../src/storage/operators/audit-log.ts'
import type { Database } from '../../../src/storage/database.ts'
import { everySubscription } from '../../../src/storage/webhooks/subscriptions.ts'
import { createVault, mustOpen } from '../../../src/storage/keys/secret-encryption.ts'
import { deliveryWorld } from '../../webhooks/delivery-fixture.ts'
import { commandHost } from '../../support/command-host.ts'
import { SPEECHLESS, speechless } from '../../support/without-audit-log.ts'
import { stores } from '../../support/stores.ts'

const KEY = Buffer.alloc(32, 8)
const vault = createVault([KEY])

for (const store of stores()) {
  describe(`forecourt webhooks renew-secrets: ${store.name}`, () => {
    const host = commandHost()
    let cwd: string
    let db: Database

    beforeEach(async () => {
      cwd = await mkdtemp(join(tmpdir(), 'forecourt-renew-'))
      db = await store.open()
      const acme = 'acme: { name: A, currency: JMD, time_zone: UTC }'
      const key = KEY.toString('base64')
      const config = `store: "${store.url()}"\nwebhooks: { key: "${key}" }\nmerchants: { ${acme} }\n`
      await writeFile(join(cwd, 'forecourt.yaml'), config)
    })
    afterEach(async () => {
      await store.close()
      await rm(cwd, { recursive: true, force: true })
    })
    after(() => host.stop())

    const command = () => host.run(['webhooks', 'renew-secrets', '--json'], { cwd })
    const renew = async () => {
      const { code, out, err } = await command()
      expect([code, err]).to.deep.equal([0, ''])
      return JSON.parse(out) as { subscription_id: string; signing_secret: string }[]
    }

    it('gives each subscription whose secret cannot be opened a new one, tells it once, and leaves word of it', async () => {
      const { subscribe } = deliveryWorld(db)
      await subscribe('lost')
      const well = vault.seal('whsec_AAAA', 'subscription whk_well')
      await subscribe('well', { secret: well })
      const renewed = await renew()
      expect(renewed.map(({ subscription_id }) => subscription_id)).to.deep.equal(['whk_lost'])
      const records = new Map((await everySubscription(db)).map((record) => [record.subscription_id, record]))
      expect(openedSecret(vault, records.get('whk_lost')!)).to.equal(renewed[0]!.signing_secret)
      expect(records.get('whk_well')!.secret).to.equal(well)
      const [word, ...more] = await listAudit(db, { limit: 9 })
      expect([word!.action, more]).to.deep.equal(['webhook.renew-secret', []])
      expect(JSON.parse(word!.target)).to.include({ subscription: 'whk_lost', merchant: 'acme', mode: 'sandbox' })
      expect(word!.target).to.not.include('whsec')
      await mustOpen(db, vault, Date.now())
      expect(await renew()).to.deep.equal([])
    })

    it('renews none of them where it cannot renew, and tell of, all', async () => {
      await deliveryWorld(db).subscribe('one')
      await deliveryWorld(db).subscribe('other')
      const before = await everySubscription(db)
      await speechless(db, async () => {
        const { code, out, err } = await command()
        expect([code, out]).to.deep.equal([1, ''])
        expect(err).to.include(SPEECHLESS)
      })
      expect(await everySubscription(db)).to.deep.equal(before)
      expect(await renew()).to.have.lengthOf(2)
    })
  })
}
