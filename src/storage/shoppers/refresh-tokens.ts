import type { Database } from '../database.ts'
import { sha256Hex } from '../keys/api-key-format.ts'
import type { TenantColumns } from './shopper-accounts.ts'

export interface RefreshToken extends TenantColumns {
  family_id: string
  shopper_id: string
  customer_id: string | null
  expires_at: string
  used_at: string | null
  revoked_at: string | null
}

/** Only the token's digest is stored. */
export async function addRefreshToken(
  db: Database,
  token: string,
  of: { family_id: string; shopper_id: string },
  times: { at: Date; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto('refresh_tokens')
    .values({
      digest: sha256Hex(token),
      ...{ family_id: of.family_id, shopper_id: of.shopper_id },
      ...{ created_at: times.at.toISOString(), expires_at: times.expiresAt.toISOString() },
      ...{ used_at: null, revoked_at: null },
    })
    .execute()
}

/** A token of this merchant and mode, in whatever state it is; another's is unknown. */
export async function findRefreshToken(db: Database, { tenant_id, mode }: TenantColumns, token: string) {
  const row: RefreshToken | undefined = await db
    .selectFrom('refresh_tokens')
    .innerJoin('shoppers', 'shoppers.shopper_id', 'refresh_tokens.shopper_id')
    .select(['refresh_tokens.family_id', 'refresh_tokens.shopper_id', 'refresh_tokens.expires_at'])
    .select(['refresh_tokens.used_at', 'refresh_tokens.revoked_at'])
    .select(['shoppers.tenant_id', 'shoppers.mode', 'shoppers.customer_id'])
    .where('refresh_tokens.digest', '=', sha256Hex(token))
    .where('shoppers.tenant_id', '=', tenant_id)
    .where('shoppers.mode', '=', mode)
    .executeTakeFirst()
  return row ?? null
}

/** Uses a token up. False when somebody else did, at the same instant or before, or when it is good no more: of many, one alone is told true. */
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

/** Ends one sign-in: its refresh tokens and its shopper tokens. To be called in a transaction. */
export async function revokeTokenFamily(db: Database, familyId: string, at: Date): Promise<void> {
  // A rotation that was under way may have added a token that the first look could not see.
  while (await changed(live(db, 'refresh_tokens', at).where('family_id', '=', familyId))) {}
  await live(db, 'shopper_sessions', at).where('family_id', '=', familyId).execute()
}

/** Ends every sign-in of a shopper, however many there are. To be called in a transaction. */
export async function revokeAllShopperTokens(db: Database, shopperId: string, at: Date): Promise<void> {
  while (await changed(live(db, 'refresh_tokens', at).where('shopper_id', '=', shopperId))) {}
  const families = db.selectFrom('refresh_tokens').select('family_id').where('shopper_id', '=', shopperId)
  await live(db, 'shopper_sessions', at).where('family_id', 'in', families).execute()
}

/** The rows that are not revoked yet, about to be. */
const live = (db: Database, table: 'refresh_tokens' | 'shopper_sessions', at: Date) =>
  db
    .updateTable(table as 'refresh_tokens')
    .set({ revoked_at: at.toISOString() })
    .where('revoked_at', 'is', null)

const changed = async (update: ReturnType<typeof live>) => (await update.executeTakeFirstOrThrow()).numUpdatedRows > 0n
