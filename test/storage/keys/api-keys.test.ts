import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import {
  findApiKey,
  isApiKeyUsable,
  issueApiKey,
  listApiKeys,
  type NewApiKey,
  recordKeysLastUsed,
  revokeApiKey,
  rotateApiKey,
} from '../../../src/storage/keys/api-keys.ts'
import { stores, type TestStore } from '../../support/stores.ts'

const NOW = new Date('2026-05-01T10:00:00.000Z')
const request = { merchant: 'acme', kind: 'publishable', mode: 'live' } as const

for (const store of stores()) {
  describe(`API keys over ${store.name}`, () => {
    let db: Database

    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    it('finds the record of a key by the key', async () => {
      const expiresAt = '2027-01-01T00:00:00.000Z'
      const options = {
        ...request,
        origins: ['https://a.example'],
        scopes: ['storefront:catalog'],
        rate: 9,
        label: 'shop',
        expiresAt,
      }
      const { key, record } = await issueApiKey(db, options, NOW)
      expect(record).to.deep.equal({
        key_id: record.key_id,
        hint: record.hint,
        tenant_id: 'acme',
        kind: 'publishable',
        mode: 'live',
        scopes: ['storefront:catalog'],
        allowed_origins: ['https://a.example'],
        rate_limit_per_minute: 9,
        rate_limit_per_client: 1,
        label: 'shop',
        created_at: NOW.toISOString(),
        expires_at: expiresAt,
        revoked_at: null,
        revoked: false,
        last_used_at: null,
      })
      expect(record.key_id).to.match(/^key_[0-9A-Za-z]{16}$/)
      expect(await findApiKey(db, key)).to.deep.equal(record)
      expect(await findApiKey(db, `${key}x`)).to.equal(null)
    })

    it('never stores a key', async () => {
      const { key } = await issueApiKey(db, request)
      for (const text of await readEverything(store, db))
        expect(text).to.not.include(key).and.not.include(key.slice(13))
    })

    it('keeps keys over a restart, and serves two processes at once', async () => {
      const { key } = await issueApiKey(db, request)
      const other = await openDatabase(store.url())
      const [first, second] = await Promise.all([
        issueApiKey(db, request),
        issueApiKey(other, { ...request, merchant: 'zenith' }),
      ])
      expect(await findApiKey(other, first.key)).to.deep.equal(first.record)
      expect(await findApiKey(db, second.key)).to.deep.equal(second.record)
      await other.destroy()
      await db.destroy()
      const after = await openDatabase(store.url())
      expect((await findApiKey(after, key))?.tenant_id).to.equal('acme')
      expect(await listApiKeys(after)).to.have.length(3)
      expect((await listApiKeys(after, 'zenith')).map(({ key_id }) => key_id)).to.deep.equal([second.record.key_id])
      await after.destroy()
    })

    it('ignores a second revocation of a key', async () => {
      const { record } = await issueApiKey(db, request, NOW)
      const revoked = await revokeApiKey(db, record.key_id, NOW)
      const again = await revokeApiKey(db, record.key_id, new Date(NOW.getTime() + 5_000))
      expect([revoked?.revoked_at, again?.revoked_at]).to.deep.equal([NOW.toISOString(), NOW.toISOString()])
      expect(await revokeApiKey(db, 'key_unknown')).to.equal(null)
    })

    it('refuses a revoked key, however far the clock of the revoking process is ahead', async () => {
      const { key, record } = await issueApiKey(db, request, NOW)
      await revokeApiKey(db, record.key_id, new Date(NOW.getTime() + 90_000))
      expect(isApiKeyUsable((await findApiKey(db, key))!, NOW.toISOString())).to.equal(false)
      const { previous } = (await rotateApiKey(db, (await issueApiKey(db, request, NOW)).record.key_id, 0, NOW))!
      expect(isApiKeyUsable(previous, '2026-05-01T09:58:30.000Z')).to.equal(false)
    })

    it('rotates a key with the same rights and an overlap', async () => {
      const options = { ...request, origins: ['https://a.example'], rate: 7, ratePerClient: 5, label: 'shop' }
      const { key, record } = await issueApiKey(db, options, NOW)
      const rotated = await rotateApiKey(db, record.key_id, 3_600_000, NOW)
      const { key_id: _, hint: __, ...rights } = rotated!.record
      const { key_id: ___, hint: ____, ...previousRights } = record
      expect(rights).to.deep.equal(previousRights)
      expect(rotated!.key).to.not.equal(key)
      const old = (await findApiKey(db, key))!
      expect(old.revoked_at).to.equal('2026-05-01T11:00:00.000Z')
      expect(isApiKeyUsable(old, '2026-05-01T10:59:59.999Z')).to.equal(true)
      expect(isApiKeyUsable(old, '2026-05-01T11:00:00.000Z')).to.equal(false)
      expect(await rotateApiKey(db, 'key_unknown', 0)).to.equal(null)
    })

    it('limits each client of a publishable key to a tenth of its limit, unless it was issued with another', async () => {
      const limitOf = async (options: Partial<NewApiKey>) => {
        const { key, record } = await issueApiKey(db, { ...request, ...options })
        expect(await findApiKey(db, key)).to.deep.equal(record)
        return record.rate_limit_per_client
      }
      expect([await limitOf({}), await limitOf({ rate: 30 }), await limitOf({ rate: 5 })]).to.deep.equal([60, 3, 1])
      expect(await limitOf({ rate: 600, ratePerClient: 600 })).to.equal(600)
      expect([await limitOf({ kind: 'secret' }), await limitOf({ kind: 'secret', ratePerClient: 5 })]).to.deep.equal([
        null,
        null,
      ])
    })

    it('gives the keys of an earlier release the default limit of a client', async () => {
      const [publishable, secret] = [
        await issueApiKey(db, { ...request, ratePerClient: 7 }),
        await issueApiKey(db, { ...request, kind: 'secret' }),
      ]
      await db.updateTable('api_keys').set({ rate_limit_per_client: null }).execute()
      expect((await findApiKey(db, publishable.key))?.rate_limit_per_client).to.equal(60)
      expect((await findApiKey(db, secret.key))?.rate_limit_per_client).to.equal(null)
    })

    it('revokes a rotated key before its overlap ends', async () => {
      const { record } = await issueApiKey(db, request, NOW)
      await rotateApiKey(db, record.key_id, 3_600_000, NOW)
      expect((await revokeApiKey(db, record.key_id, NOW))?.revoked_at).to.equal(NOW.toISOString())
    })

    it('does not rotate a revoked key', async () => {
      const { record } = await issueApiKey(db, request, NOW)
      await revokeApiKey(db, record.key_id, NOW)
      expect(await rotateApiKey(db, record.key_id, 3_600_000, new Date(NOW.getTime() + 1_000))).to.equal(null)
      expect(await listApiKeys(db)).to.have.lengthOf(1)
    })

    it('records when keys were last used', async () => {
      const { key, record } = await issueApiKey(db, request)
      await recordKeysLastUsed(db, new Map([[record.key_id, NOW.toISOString()]]))
      expect((await findApiKey(db, key))?.last_used_at).to.equal(NOW.toISOString())
    })
  })
}

/** Reads all that a store holds: its files, or else its rows. */
async function readEverything(store: TestStore, db: Database): Promise<string[]> {
  if (store.name === 'PostgreSQL') return [JSON.stringify(await db.selectFrom('api_keys').selectAll().execute())]
  const directory = dirname(store.url().slice('sqlite:'.length))
  return Promise.all((await readdir(directory)).map((file) => readFile(join(directory, file), 'latin1')))
}
