import { sha256Hex } from '../../security/sha256.ts'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import type { TenantColumns } from '../tenant-columns.ts'

export interface RefreshToken extends TenantColumns {
  family_id: string
  shopper_id: string
  customer_id: string | null
  /** The current one of the account. */
  password_hash: string
  expires_at: string
  used_at: string | null
  revoked_at: string | null
}

/** Adds a token. Only its digest is stored. */
export async function addRefreshToken(
  db: Database,
  token: string,
  { family_id, shopper_id }: { family_id: string; shopper_id: string },
  times: { at: Date; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto('refresh_tokens')
    .values({
      digest: sha256Hex(token),
      family_id,
      shopper_id,
      created_at: times.at.toISOString(),
      expires_at: times.expiresAt.toISOString(),
      used_at: null,
      revoked_at: null,
    })
    .execute()
}

/** Returns a tenant's token, also when it is used, revoked or expired. */
export async function findRefreshToken(db: Database, { merchant, mode }: Tenant, token: string) {
  const row: RefreshToken | undefined = await db
    .selectFrom('refresh_tokens')
    .innerJoin('shoppers', 'shoppers.shopper_id', 'refresh_tokens.shopper_id')
    .select(['refresh_tokens.family_id', 'refresh_tokens.shopper_id', 'refresh_tokens.expires_at'])
    .select(['refresh_tokens.used_at', 'refresh_tokens.revoked_at'])
    .select(['shoppers.tenant_id', 'shoppers.mode', 'shoppers.customer_id', 'shoppers.password_hash'])
    .where('refresh_tokens.digest', '=', sha256Hex(token))
    .where('shoppers.tenant_id', '=', merchant)
    .where('shoppers.mode', '=', mode)
    .executeTakeFirst()
  return row ?? null
}

/** Marks a token as used. `false`: it is used, revoked or expired. Of concurrent callers only one gets `true`. */
export async function consumeRefreshToken(db: Database, token: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('refresh_tokens')
    .set({ used_at: at.toISOString() })
    .where('digest', '=', sha256Hex(token))
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at.toISOString())
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Ends one sign-in: revokes its refresh tokens and shopper tokens. Call it in a transaction. */
export async function revokeTokenFamily(db: Database, familyId: string, at: Date): Promise<void> {
  // Repeated, because a concurrent rotation may add a token that the first update does not see.
  while (await revokedAny(updateUnrevoked(db, 'refresh_tokens', at).where('family_id', '=', familyId))) {}
  await updateUnrevoked(db, 'shopper_sessions', at).where('family_id', '=', familyId).execute()
}

/** Ends every sign-in of a shopper. Call it in a transaction. */
export async function revokeAllShopperTokens(db: Database, shopperId: string, at: Date): Promise<void> {
  while (await revokedAny(updateUnrevoked(db, 'refresh_tokens', at).where('shopper_id', '=', shopperId))) {}
  const families = db.selectFrom('refresh_tokens').select('family_id').where('shopper_id', '=', shopperId)
  await updateUnrevoked(db, 'shopper_sessions', at).where('family_id', 'in', families).execute()
}

const updateUnrevoked = (db: Database, table: 'refresh_tokens' | 'shopper_sessions', at: Date) =>
  db
    .updateTable(table as 'refresh_tokens')
    .set({ revoked_at: at.toISOString() })
    .where('revoked_at', 'is', null)

const revokedAny = async (update: ReturnType<typeof updateUnrevoked>) =>
  (await update.executeTakeFirstOrThrow()).numUpdatedRows > 0n
