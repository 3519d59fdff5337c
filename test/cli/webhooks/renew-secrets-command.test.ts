import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Database } from '../../../src/storage/database.ts'
import { verifyEncryptionKey } from '../../../src/storage/keys/encryption-key.ts'
import { createSecretCipher } from '../../../src/storage/keys/secret-encryption.ts'
import { listAuditLog } from '../../../src/storage/operators/audit-log.ts'
import { listAllSubscriptions } from '../../../src/storage/webhooks/subscriptions.ts'
import { decryptCurrentSecret } from '../../../src/webhooks/signing-secrets.ts'
import { createCommandHost } from '../../support/command-host.ts'
import { stores } from '../../support/stores.ts'
import { AUDIT_LOG_TABLE, withoutAuditLog } from '../../support/without-audit-log.ts'
import { createDeliveryFixture } from '../../webhooks/dispatcher-fixture.ts'

const KEY = Buffer.alloc(32, 8)
const vault = createSecretCipher([KEY])

for (const store of stores()) {
  describe(`forecourt webhooks renew-secrets: ${store.name}`, () => {
    const host = createCommandHost()
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

    it('replaces each secret that the key cannot decrypt, prints it once, and records it in the audit log', async () => {
      const { subscribe } = createDeliveryFixture(db)
      await subscribe('lost')
      const well = vault.encrypt('whsec_AAAA', 'subscription whk_well')
      await subscribe('well', { secret: well })
      const renewed = await renew()
      expect(renewed.map(({ subscription_id }) => subscription_id)).to.deep.equal(['whk_lost'])
      const records = new Map((await listAllSubscriptions(db)).map((record) => [record.subscription_id, record]))
      expect(decryptCurrentSecret(vault, records.get('whk_lost')!)).to.equal(renewed[0]!.signing_secret)
      expect(records.get('whk_well')!.secret).to.equal(well)
      const [word, ...more] = await listAuditLog(db, { limit: 9 })
      expect([word!.action, more]).to.deep.equal(['webhook.renew-secret', []])
      expect(JSON.parse(word!.target)).to.include({ subscription: 'whk_lost', merchant: 'acme', mode: 'sandbox' })
      expect(word!.target).to.not.include('whsec')
      await verifyEncryptionKey(db, vault, Date.now())
      expect(await renew()).to.deep.equal([])
    })

    it('renews none when the audit log cannot be written', async () => {
      await createDeliveryFixture(db).subscribe('one')
      await createDeliveryFixture(db).subscribe('other')
      const before = await listAllSubscriptions(db)
      await withoutAuditLog(db, async () => {
        const { code, out, err } = await command()
        expect([code, out]).to.deep.equal([1, ''])
        expect(err).to.include(AUDIT_LOG_TABLE)
      })
      expect(await listAllSubscriptions(db)).to.deep.equal(before)
      expect(await renew()).to.have.lengthOf(2)
    })
  })
}
