import { sha256Hex } from '../../security/sha256.ts'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { tenantColumns } from '../tenant-columns.ts'

export type EmailTokenPurpose = 'verify' | 'reset'

/** A single-use token that was sent by email. */
export interface EmailToken extends Tenant {
  purpose: EmailTokenPurpose
  email: string
  /** JSON: the change that waits for the proof. */
  payload: string
}

/** Adds a token. Only its digest is stored. */
export async function addEmailToken(
  db: Database,
  token: string,
  { purpose, email, payload, ...tenant }: EmailToken,
  times: { at: Date; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto('mailbox_tokens')
    .values({
      digest: sha256Hex(token),
      ...tenantColumns(tenant),
      purpose,
      email,
      payload,
      created_at: times.at.toISOString(),
      expires_at: times.expiresAt.toISOString(),
      used_at: null,
    })
    .execute()
}

/** Returns a usable token; `null` alike for one that is unknown, used, expired, or of another tenant or purpose. */
export async function findEmailToken(
  db: Database,
  tenant: Tenant,
  purpose: EmailTokenPurpose,
  token: string,
  at: Date,
): Promise<EmailToken | null> {
  const row = await db
    .selectFrom('mailbox_tokens')
    .select(['email', 'payload'])
    .where('digest', '=', sha256Hex(token))
    .where('tenant_id', '=', tenant.merchant)
    .where('mode', '=', tenant.mode)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at.toISOString())
    .executeTakeFirst()
  return row ? { ...tenant, purpose, ...row } : null
}

/** Marks a token as used. `false`: it was used before. Of concurrent callers only one gets `true`. */
export async function consumeEmailToken(db: Database, token: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mailbox_tokens')
    .set({ used_at: at.toISOString() })
    .where('digest', '=', sha256Hex(token))
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Revokes every unused token of an email address. */
export async function revokeEmailTokens(
  db: Database,
  { merchant, mode, email }: Tenant & Pick<EmailToken, 'email'>,
  at: Date,
): Promise<void> {
  await db
    .updateTable('mailbox_tokens')
    .set({ used_at: at.toISOString() })
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('email', '=', email)
    .where('used_at', 'is', null)
    .execute()
}
