import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { makeFolder } from '../../files/make-folder.ts'
import { forecourtCommand } from '../../installed-command-line.ts'
import type { Database } from '../database.ts'
import type { SecretCipher } from './secret-encryption.ts'

/** Returns the key of an installation without a configured one. It is created once, readable by this account only. */
export function readOrCreateEncryptionKey(dataDirectory: string): Buffer {
  makeFolder(dataDirectory, 0o700)
  const file = join(dataDirectory, 'webhooks.key')
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  if (key.length !== 32) throw new Error(`${file} is damaged. Restore it from a backup, or set webhooks.key`)
  return key
}

const WRONG_KEY = `The signing secrets in this store are encrypted with another key. Set webhooks.key (or webhooks.previous_keys) to it, or copy webhooks.key from the data directory of the server that created it. When it is lost: ${forecourtCommand} webhooks renew-secrets`

/**
 * Throws when stored secrets cannot be decrypted, or when other servers of the store encrypt with a key that this one does not have.
 * Otherwise single deliveries would fail, days later.
 */
export async function verifyEncryptionKey(db: Database, { keyIds }: SecretCipher, now: number): Promise<void> {
  const used = [await readOrRecordKeyId(db, keyIds[0]!), ...(await listUsedKeyIds(db, now))]
  if (used.some((id) => !keyIds.includes(id))) throw new Error(WRONG_KEY)
  await recordEncryptionKey(db, { keyIds })
}

/** Records the first key as the one that encrypts in this store. */
export async function recordEncryptionKey(db: Database, { keyIds }: Pick<SecretCipher, 'keyIds'>): Promise<void> {
  await readOrRecordKeyId(db, keyIds[0]!)
  await db.updateTable('seals').set({ key_id: keyIds[0]! }).where('name', '=', SEAL).execute()
}

const SEAL = 'webhooks'

/** Returns the recorded key id, which is `keyId` when there was none. */
async function readOrRecordKeyId(db: Database, keyId: string): Promise<string> {
  const first = db.insertInto('seals').values({ name: SEAL, key_id: keyId })
  await first.onConflict((conflict) => conflict.column('name').doNothing()).execute()
  const { key_id } = await db.selectFrom('seals').select('key_id').where('name', '=', SEAL).executeTakeFirstOrThrow()
  return key_id
}

/** Reads the key ids from the stored secrets: `v1.<key id>.…`. */
async function listUsedKeyIds(db: Database, now: number): Promise<string[]> {
  const previous = db
    .selectFrom('subscriptions')
    .select(sql<string>`substr(previous_secret, 4, 12)`.as('id'))
    .where('previous_secret_expires_at', '>', new Date(now).toISOString())
  const used = await db
    .selectFrom('subscriptions')
    .select(sql<string>`substr(secret, 4, 12)`.as('id'))
    .union(previous)
    .execute()
  return used.map(({ id }) => id)
}
