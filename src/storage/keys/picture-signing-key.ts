import type { Database } from '../database.ts'

const NAME = 'pictures'

/** Returns the key that signs picture URLs. It is created once: of several processes that start together, the first one wins. */
export async function readOrCreatePictureSigningKey(db: Database, random: (bytes: number) => Buffer): Promise<Buffer> {
  const selectKey = () => db.selectFrom('picture_key').select('key').where('name', '=', NAME)
  const existing = await selectKey().executeTakeFirst()
  if (!existing) {
    const created = db.insertInto('picture_key').values({ name: NAME, key: random(32).toString('base64') })
    await created.onConflict((conflict) => conflict.column('name').doNothing()).execute()
  }
  return Buffer.from((existing ?? (await selectKey().executeTakeFirstOrThrow())).key, 'base64')
}
