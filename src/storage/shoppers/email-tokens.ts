import type { Database } from '../database.ts'
import { sha256Hex } from '../keys/api-key-format.ts'
import type { TenantColumns } from './shopper-accounts.ts'

export type EmailTokenPurpose = 'verify' | 'reset'

/** What a letter's token stands for. */
export interface EmailToken extends TenantColumns {
  purpose: EmailTokenPurpose
  email: string
  /** JSON: what waits for the proof. */
  payload: string
}

/** Only the token's digest is stored. */
export async function addEmailToken(
  db: Database,
  token: string,
  { tenant_id, mode, purpose, email, payload }: EmailToken,
  times: { at: Date; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto('mailbox_tokens')
    .values({
      ...{ digest: sha256Hex(token), tenant_id, mode, purpose, email, payload },
      ...{ created_at: times.at.toISOString(), expires_at: times.expiresAt.toISOString(), used_at: null },
    })
    .execute()
}

/** A token that may still be used here for this. `null`: unknown, used, expired or another's, without a difference. */
export async function findEmailToken(
  db: Database,
  { tenant_id, mode }: TenantColumns,
  purpose: EmailTokenPurpose,
  token: string,
  at: Date,
): Promise<EmailToken | null> {
  const row = await db
    .selectFrom('mailbox_tokens')
    .select(['tenant_id', 'mode', 'purpose', 'email', 'payload'])
    .where('digest', '=', sha256Hex(token))
    .where('tenant_id', '=', tenant_id)
    .where('mode', '=', mode)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at.toISOString())
    .executeTakeFirst()
  return row ?? null
}

/** Uses a token up. False when it was used before: of many at once, one alone is told true. */
export async function consumeEmailToken(db: Database, token: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mailbox_tokens')
    .set({ used_at: at.toISOString() })
    .where('digest', '=', sha256Hex(token))
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** What was sent to this mailbox for this and not used yet opens nothing any longer. */
export async function revokeEmailTokens(
  db: Database,
  { tenant_id, mode, purpose, email }: Omit<EmailToken, 'payload'>,
  at: Date,
): Promise<void> {
  await db
    .updateTable('mailbox_tokens')
    .set({ used_at: at.toISOString() })
    .where('tenant_id', '=', tenant_id)
    .where('mode', '=', mode)
    .where('email', '=', email)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute()
}
