import type { Database } from '../database.ts'

/** The newest ones are kept. */
const MAX_PER_SHOPPER = 20

export async function isSignInAddress(db: Database, digest: string, at: Date): Promise<boolean> {
  const address = db.selectFrom('sign_in_addresses').select('digest').where('digest', '=', digest)
  return (await address.where('expires_at', '>', at.toISOString()).executeTakeFirst()) !== undefined
}

/** Adds a client address from which a shopper signed in, or keeps it for longer. */
export async function addSignInAddress(
  db: Database,
  { digest, shopper_id }: { digest: string; shopper_id: string },
  expiresAt: Date,
): Promise<void> {
  const expires_at = expiresAt.toISOString()
  await db
    .insertInto('sign_in_addresses')
    .values({ digest, shopper_id, expires_at })
    .onConflict((conflict) => conflict.column('digest').doUpdateSet({ expires_at }))
    .execute()
  const kept = db.selectFrom('sign_in_addresses').select('digest').where('shopper_id', '=', shopper_id)
  await db
    .deleteFrom('sign_in_addresses')
    .where('shopper_id', '=', shopper_id)
    .where('digest', 'not in', kept.orderBy('expires_at', 'desc').limit(MAX_PER_SHOPPER))
    .execute()
}
