import type { Database } from '../database.ts'

const NAME = 'pictures'

/** What the addresses of pictures are signed with: made once, the first of several processes that start together wins, and all have it. */
export async function readOrCreatePictureSigningKey(db: Database, random: (bytes: number) => Buffer): Promise<Buffer> {
  const kept = () => db.selectFrom('picture_key').select('key').where('name', '=', NAME)
  const found = await kept().executeTakeFirst()
  if (!found) {
    const ours = db.insertInto('picture_key').values({ name: NAME, key: random(32).toString('base64') })
    await ours.onConflict((conflict) => conflict.column('name').doNothing()).execute()
  }
  return Buffer.from((found ?? (await kept().executeTakeFirstOrThrow())).key, 'base64')
}
