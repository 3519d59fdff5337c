import { findRefreshToken, revokeTokenFamily } from '../../storage/shoppers/refresh-tokens.ts'
import { transact } from '../../storage/transact.ts'
import type { Tenant } from '../../tenant.ts'
import type { CommandDependencies } from '../command-context.ts'

/** Ends the session that a refresh token, used or not, belongs to. An unstored token is ignored. */
export async function logOut({ db, now }: CommandDependencies, tenant: Tenant, token: string): Promise<void> {
  await transact(db, async (transaction) => {
    const stored = await findRefreshToken(transaction, tenant, token)
    if (stored && stored.revoked_at === null) await revokeTokenFamily(transaction, stored.family_id, new Date(now()))
  })
}
