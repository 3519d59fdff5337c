import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { sha256Hex } from '../../../src/storage/keys/api-key-format.ts'
import {
  findApiKey,
  isApiKeyUsable,
  issueApiKey,
  listApiKeys,
  recordKeysLastUsed,
  revokeApiKey,
  rotateApiKey,
} from '../../../src/storage/keys/api-keys.ts'
import { findShopperSession } from '../../../src/storage/shoppers/shopper-sessions.ts'
import { stores, type TestStore } from '../../support/stores.ts'

const NOW = new Date('2026-05-01T10:00:00.000Z')
const request = { merchant: 'acme', kind: 'publishable', mode: 'live' } as const

for (const store of stores()) {
  describe(`the store of keys: ${store.name}`, () => {
    let db: Database

    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    it('gives back the record of a key by the key', async () => {
      const expiresAt = '2027-01-01T00:00:00.000Z'
      const asked = {
        ...request,
        origins: ['https://a.example'],
        scopes: ['storefront:catalog'],
        rate: 9,
        label: 'shop',
        expiresAt,
      }
      const { key, record } = await issueApiKey(db, asked, NOW)
      expect(record).to.deep.equal({
        ...{ key_id: record.key_id, hint: record.hint, tenant_id: 'acme', kind: 'publishable', mode: 'live' },
        ...{ scopes: ['storefront:catalog'], allowed_origins: ['https://a.example'], rate_limit_per_minute: 9 },
        ...{
          label: 'shop',
          created_at: NOW.toISOString(),
          expires_at: expiresAt,
          revoked_at: null,
          last_used_at: null,
        },
      })
      expect(record.key_id).to.match(/^key_[0-9A-Za-z]{16}$/)
      expect(await findApiKey(db, key)).to.deep.equal(record)
      expect(await findApiKey(db, `${key}x`)).to.equal(null)
    })

    it('never holds a key', async () => {
      const { key } = await issueApiKey(db, request)
      for (const text of await everything(store, db)) expect(text).to.not.include(key).and.not.include(key.slice(13))
    })

    it('keeps keys over a restart, and lets two processes work at once', async () => {
      const { key } = await issueApiKey(db, request)
      const other = await openDatabase(store.url())
      const [mine, theirs] = await Promise.all([
        issueApiKey(db, request),
        issueApiKey(other, { ...request, merchant: 'zenith' }),
      ])
      expect(await findApiKey(other, mine.key)).to.deep.equal(mine.record)
      expect(await findApiKey(db, theirs.key)).to.deep.equal(theirs.record)
      await other.destroy()
      await db.destroy()
      const after = await openDatabase(store.url())
      expect((await findApiKey(after, key))?.tenant_id).to.equal('acme')
      expect(await listApiKeys(after)).to.have.length(3)
      expect((await listApiKeys(after, 'zenith')).map(({ key_id }) => key_id)).to.deep.equal([theirs.record.key_id])
      await after.destroy()
    })

    it('ends a key once: a second revocation does not move its end', async () => {
      const { record } = await issueApiKey(db, request, NOW)
      const first = await revokeApiKey(db, record.key_id, NOW)
      const later = await revokeApiKey(db, record.key_id, new Date(NOW.getTime() + 5_000))
      expect([first?.revoked_at, later?.revoked_at]).to.deep.equal([NOW.toISOString(), NOW.toISOString()])
      expect(await revokeApiKey(db, 'key_unknown')).to.equal(null)
    })

    it('rotates with the same rights, the old key going on for the overlap', async () => {
      const asked = { ...request, origins: ['https://a.example'], rate: 7, label: 'shop' }
      const { key, record } = await issueApiKey(db, asked, NOW)
      const rotated = await rotateApiKey(db, record.key_id, 3_600_000, NOW)
      const { key_id: _, hint: __, ...rights } = rotated!.record
      const { key_id: ___, hint: ____, ...before } = record
      expect(rights).to.deep.equal(before)
      expect(rotated!.key).to.not.equal(key)
      const old = (await findApiKey(db, key))!
      expect(old.revoked_at).to.equal('2026-05-01T11:00:00.000Z')
      expect(isApiKeyUsable(old, '2026-05-01T10:59:59.999Z')).to.equal(true)
      expect(isApiKeyUsable(old, '2026-05-01T11:00:00.000Z')).to.equal(false)
      expect(await rotateApiKey(db, 'key_unknown', 0)).to.equal(null)
    })

    it('can end a rotated key at once, before its overlap is over', async () => {
      const { record } = await issueApiKey(db, request, NOW)
      await rotateApiKey(db, record.key_id, 3_600_000, NOW)
      expect((await revokeApiKey(db, record.key_id, NOW))?.revoked_at).to.equal(NOW.toISOString())
    })

    it('does not bring a revoked key back to life by rotating it', async () => {
      const { record } = await issueApiKey(db, request, NOW)
      await revokeApiKey(db, record.key_id, NOW)
      expect(await rotateApiKey(db, record.key_id, 3_600_000, new Date(NOW.getTime() + 1_000))).to.equal(null)
      expect(await listApiKeys(db)).to.have.lengthOf(1)
    })

    it('notes when keys were used', async () => {
      const { key, record } = await issueApiKey(db, request)
      await recordKeysLastUsed(db, new Map([[record.key_id, NOW.toISOString()]]))
      expect((await findApiKey(db, key))?.last_used_at).to.equal(NOW.toISOString())
    })

    it('opens a shopper’s session by its token, until it ends', async () => {
      const row = { tenant_id: 'acme', mode: 'live', customer_id: 'C-1' } as const
      const times = { created_at: NOW.toISOString(), expires_at: '2026-05-01T11:00:00.000Z' }
      await db
        .insertInto('shopper_sessions')
        .values({ ...row, ...times, digest: sha256Hex('token'), revoked_at: null })
        .execute()
      await db
        .insertInto('shopper_sessions')
        .values({ ...row, ...times, digest: sha256Hex('ended'), revoked_at: NOW.toISOString() })
        .execute()
      expect(await findShopperSession(db, 'token', NOW)).to.deep.equal(row)
      expect(await findShopperSession(db, 'token', new Date('2026-05-01T11:00:00.000Z'))).to.equal(null)
      expect(await findShopperSession(db, 'ended', NOW)).to.equal(null)
      expect(await findShopperSession(db, 'other', NOW)).to.equal(null)
    })
  })
}

/** All that a store holds: its files where it has some, else its rows. */
async function everything(store: TestStore, db: Database): Promise<string[]> {
  if (store.name === 'PostgreSQL') return [JSON.stringify(await db.selectFrom('api_keys').selectAll().execute())]
  const directory = dirname(store.url().slice('sqlite:'.length))
  return Promise.all((await readdir(directory)).map((file) => readFile(join(directory, file), 'latin1')))
}
