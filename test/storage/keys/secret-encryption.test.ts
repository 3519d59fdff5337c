import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Database } from '../../../src/storage/database.ts'
import {
  createSecretCipher,
  readOrCreateEncryptionKey,
  recordEncryptionKey,
  verifyEncryptionKey,
} from '../../../src/storage/keys/secret-encryption.ts'
import { stores } from '../../support/stores.ts'
import { createDeliveryFixture } from '../../webhooks/delivery-fixture.ts'

const KEY = Buffer.alloc(32, 7)
const OLD_KEY = Buffer.alloc(32, 6)
const NOW = Date.parse('2026-01-01T00:00:00.000Z')

describe('the vault', () => {
  const vault = createSecretCipher([KEY, OLD_KEY])

  it('opens what it sealed, for the same purpose alone', () => {
    const sealed = vault.seal('whsec_ü', 'one')
    expect(sealed).to.not.include('whsec')
    expect(vault.open(sealed, 'one')).to.equal('whsec_ü')
    expect(() => vault.open(sealed, 'another')).to.throw()
  })

  it('never seals the same text alike', () => {
    expect(vault.seal('a', 'one')).to.not.equal(vault.seal('a', 'one'))
  })

  it('opens what no byte of was changed', () => {
    const [version, id, rest] = vault.seal('text', 'one').split('.')
    const bytes = Buffer.from(rest!, 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const other = Buffer.from(bytes)
      other[at]! ^= 1
      expect(() => vault.open(`${version}.${id}.${other.toString('base64url')}`, 'one'), `byte ${at}`).to.throw()
    }
    for (const cut of ['', 'AAAA', rest!.slice(0, -4)]) expect(() => vault.open(`v1.${id}.${cut}`, 'one')).to.throw()
  })

  it('seals with the first key, and opens with all of them', () => {
    const sealed = createSecretCipher([OLD_KEY]).seal('text', 'one')
    expect(vault.open(sealed, 'one')).to.equal('text')
    expect(() => createSecretCipher([KEY]).open(sealed, 'one')).to.throw('webhooks.previous_keys')
    expect(() => createSecretCipher([OLD_KEY]).open(vault.seal('text', 'one'), 'one')).to.throw(
      'webhooks.previous_keys',
    )
  })
})

describe('the key of an installation that was given none', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-key-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('is made once, and readable by its owner alone', async () => {
    const key = readOrCreateEncryptionKey(folder)
    expect(key).to.have.length(32)
    expect(readOrCreateEncryptionKey(folder)).to.deep.equal(key)
    expect((await stat(join(folder, 'webhooks.key'))).mode & 0o777).to.equal(0o600)
  })

  it('is not made anew where it is damaged', async () => {
    readOrCreateEncryptionKey(folder)
    await writeFile(join(folder, 'webhooks.key'), '')
    expect(() => readOrCreateEncryptionKey(folder)).to.throw('is damaged')
    expect(await readFile(join(folder, 'webhooks.key'), 'utf8')).to.equal('')
  })
})

for (const store of stores()) {
  describe(`a start over sealed secrets on ${store.name}`, () => {
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

    it('is refused without the key of one of them', async () => {
      await createDeliveryFixture(db).subscribe('a')
      expect(await start([KEY])).to.equal('started')
      expect(await start([OLD_KEY, KEY])).to.equal('started')
      expect(await start([OLD_KEY])).to.include('webhooks.previous_keys')
    })

    it('is refused with a key of its own beside servers that have another, before there is any secret', async () => {
      expect(await start([KEY])).to.equal('started')
      expect(await start([OLD_KEY])).to.include('renew-secrets')
      expect(await start([OLD_KEY, KEY])).to.equal('started')
      expect(await start([OLD_KEY])).to.equal('started')
    })

    it('goes on with another key once it is said that the old one is lost', async () => {
      expect(await start([KEY])).to.equal('started')
      await recordEncryptionKey(db, createSecretCipher([OLD_KEY]))
      expect(await start([OLD_KEY])).to.equal('started')
    })

    it('is refused without the key of one that still signs beside a new one', async () => {
      const previous_secret = createSecretCipher([OLD_KEY]).seal('whsec_old', 'subscription whk_a')
      const previous_secret_expires_at = new Date(NOW + 1_000).toISOString()
      await createDeliveryFixture(db).subscribe('a', { previous_secret, previous_secret_expires_at })
      expect(await start([KEY])).to.include('webhooks.previous_keys')
      expect(await start([KEY, OLD_KEY])).to.equal('started')
      expect(await start([KEY], NOW + 1_000)).to.equal('started')
    })
  })
}
