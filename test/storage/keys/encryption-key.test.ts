import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Database } from '../../../src/storage/database.ts'
import {
  readOrCreateEncryptionKey,
  recordEncryptionKey,
  verifyEncryptionKey,
} from '../../../src/storage/keys/encryption-key.ts'
import { createSecretCipher } from '../../../src/storage/keys/secret-encryption.ts'
import { stores } from '../../support/stores.ts'
import { createDeliveryFixture } from '../../webhooks/dispatcher-fixture.ts'

const KEY = Buffer.alloc(32, 7)
const OLD_KEY = Buffer.alloc(32, 6)
const NOW = Date.parse('2026-01-01T00:00:00.000Z')

describe('the encryption key of an installation without a configured one', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'forecourt-key-'))
  })
  afterEach(() => rm(directory, { recursive: true }))

  it('is created once, and readable by its account only', async () => {
    const key = readOrCreateEncryptionKey(directory)
    expect(key).to.have.length(32)
    expect(readOrCreateEncryptionKey(directory)).to.deep.equal(key)
    expect((await stat(join(directory, 'webhooks.key'))).mode & 0o777).to.equal(0o600)
  })

  it('is not replaced when it is damaged', async () => {
    readOrCreateEncryptionKey(directory)
    await writeFile(join(directory, 'webhooks.key'), '')
    expect(() => readOrCreateEncryptionKey(directory)).to.throw('is damaged')
    expect(await readFile(join(directory, 'webhooks.key'), 'utf8')).to.equal('')
  })
})

for (const store of stores()) {
  describe(`starting with encrypted secrets over ${store.name}`, () => {
    let db: Database
    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    const start = (keys: Buffer[], now = NOW) =>
      verifyEncryptionKey(db, createSecretCipher(keys), now).then(
        () => 'started',
        (error: Error) => error.message,
      )

    it('fails without the key of one of them', async () => {
      await createDeliveryFixture(db).subscribe('a')
      expect(await start([KEY])).to.equal('started')
      expect(await start([OLD_KEY, KEY])).to.equal('started')
      expect(await start([OLD_KEY])).to.include('webhooks.previous_keys')
    })

    it('fails with another key than the other servers have, also before there are secrets', async () => {
      expect(await start([KEY])).to.equal('started')
      expect(await start([OLD_KEY])).to.include('renew-secrets')
      expect(await start([OLD_KEY, KEY])).to.equal('started')
      expect(await start([OLD_KEY])).to.equal('started')
    })

    it('works with another key once the old one is declared lost', async () => {
      expect(await start([KEY])).to.equal('started')
      await recordEncryptionKey(db, createSecretCipher([OLD_KEY]))
      expect(await start([OLD_KEY])).to.equal('started')
    })

    it('fails without the key of a previous secret that still signs', async () => {
      const previous_secret = createSecretCipher([OLD_KEY]).encrypt('whsec_old', 'subscription whk_a')
      const previous_secret_expires_at = new Date(NOW + 1_000).toISOString()
      await createDeliveryFixture(db).subscribe('a', { previous_secret, previous_secret_expires_at })
      expect(await start([KEY])).to.include('webhooks.previous_keys')
      expect(await start([KEY, OLD_KEY])).to.equal('started')
      expect(await start([KEY], NOW + 1_000)).to.equal('started')
    })
  })
}
