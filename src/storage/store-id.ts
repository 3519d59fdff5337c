import { createHmac, randomBytes } from 'node:crypto'
import type { Database } from './database.ts'
import { readOrCreatePictureSigningKey } from './keys/picture-signing-key.ts'

const LENGTH = 16

/** Returns an opaque id of the store: two processes with the same id share a store, or one has a copy. It reveals nothing of the store. */
export async function readStoreId(db: Database): Promise<string> {
  const key = await readOrCreatePictureSigningKey(db, randomBytes)
  return createHmac('sha256', key).update('store id').digest('base64url').slice(0, LENGTH)
}
