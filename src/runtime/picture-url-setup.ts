import { randomBytes } from 'node:crypto'
import { createPictureUrlSigner, type PictureUrlSigner } from '../media/picture-url-signer.ts'
import type { Database } from '../storage/database.ts'
import { readOrCreatePictureSigningKey } from '../storage/keys/picture-signing-key.ts'

/** Returns the signer of picture URLs, with the key of this store. `publicUrl`: the API's URL for browsers. */
export async function setUpPictureUrls(db: Database, publicUrl: () => string): Promise<PictureUrlSigner> {
  return createPictureUrlSigner({ key: await readOrCreatePictureSigningKey(db, randomBytes), base: publicUrl })
}
