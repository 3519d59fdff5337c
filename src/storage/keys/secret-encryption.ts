import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { makeFolder } from '../../lifecycle/make-folder.ts'
import type { Database } from '../database.ts'

/** For what must be read again, and must not be readable to who has the store alone. */
export interface SecretCipher {
  /** `purpose` is bound to it: sealed for one row, it does not open for another. */
  seal(text: string, purpose: string): string
  /** Throws when it was sealed with a key that is not configured, for another purpose, or was changed. */
  open(sealed: string, purpose: string): string
  /** Of the keys that open. */
  readonly keyIds: readonly string[]
}

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** AES-256-GCM (NIST SP 800-38D) with a random nonce. The first key seals, all of them open: `v1.<key id>.<base64url of nonce, text and tag>`. */
export function createSecretCipher(keys: readonly Buffer[]): SecretCipher {
  const byId = new Map(keys.map((key) => [idOf(key), key]))
  const [sealing] = byId
  if (!sealing) throw new Error('a vault needs a key')
  return {
    keyIds: [...byId.keys()],
    seal(text, purpose) {
      const [id, key] = sealing
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(purpose))
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `v1.${id}.${sealed.toString('base64url')}`
    },
    open(sealed, purpose) {
      const [version, id = '', rest = ''] = sealed.split('.')
      const key = byId.get(id)
      if (version !== 'v1' || !key) throw new Error(`sealed with another key (${id}); see webhooks.previous_keys`)
      const bytes = Buffer.from(rest, 'base64url')
      const end = bytes.length - TAG_BYTES
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(end))
      return decipher.update(bytes.subarray(NONCE_BYTES, end), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

/** Tells keys apart without giving them away. */
const idOf = (key: Buffer) => hash('sha256', Buffer.concat([Buffer.from('forecourt vault key\n'), key])).slice(0, 12)

/** The key of an installation that was given none: made once, readable by this account alone. */
export function readOrCreateEncryptionKey(dataDirectory: string): Buffer {
  makeFolder(dataDirectory, 0o700)
  const file = join(dataDirectory, 'webhooks.key')
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  if (key.length !== 32) throw new Error(`${file} is damaged. Put back the one that was there, or set webhooks.key`)
  return key
}

/**
 * Refuses to start over secrets that could not be opened, or with a key of its own beside servers that have another:
 * deliveries would fail one by one, days later.
 */
export async function verifyEncryptionKey(db: Database, { keyIds }: SecretCipher, now: number): Promise<void> {
  const strange = [await sealingKey(db, keyIds[0]!), ...(await usedKeys(db, now))].filter((id) => !keyIds.includes(id))
  if (strange.length > 0)
    throw new Error(
      'The signing secrets in this store are sealed with another key. Set webhooks.key (or webhooks.previous_keys) to it, or copy webhooks.key from the data directory of the server that made it. When it is lost: npx forecourt webhooks renew-secrets',
    )
  await recordEncryptionKey(db, { keyIds })
}

/** From now on this store is one of the first key. */
export async function recordEncryptionKey(db: Database, { keyIds }: Pick<SecretCipher, 'keyIds'>): Promise<void> {
  await sealingKey(db, keyIds[0]!)
  await db.updateTable('seals').set({ key_id: keyIds[0]! }).where('name', '=', SEAL).execute()
}

const SEAL = 'webhooks'

/** Of the servers that are there: ours, when it is the first. */
async function sealingKey(db: Database, ours: string): Promise<string> {
  const first = db.insertInto('seals').values({ name: SEAL, key_id: ours })
  await first.onConflict((conflict) => conflict.column('name').doNothing()).execute()
  const { key_id } = await db.selectFrom('seals').select('key_id').where('name', '=', SEAL).executeTakeFirstOrThrow()
  return key_id
}

async function usedKeys(db: Database, now: number): Promise<string[]> {
  const rotating = db
    .selectFrom('subscriptions')
    .select(sql<string>`substr(previous_secret, 4, 12)`.as('id'))
    .where('previous_secret_expires_at', '>', new Date(now).toISOString())
  const used = await db
    .selectFrom('subscriptions')
    .select(sql<string>`substr(secret, 4, 12)`.as('id'))
    .union(rotating)
    .execute()
  return used.map(({ id }) => id)
}
