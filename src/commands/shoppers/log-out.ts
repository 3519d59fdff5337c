import { findRefreshToken, revokeTokenFamily } from '../../storage/shoppers/refresh-tokens.ts'
import type { TenantColumns } from '../../storage/shoppers/shopper-accounts.ts'
import { transact } from '../../storage/transact.ts'
import type { CommandDependencies } from '../command-context.ts'

/** Ends the sign-in that this refresh token, used or not, belongs to; there may be none. */
export async function logOut({ db, now }: CommandDependencies, realm: TenantColumns, token: string): Promise<void> {
  await transact(db, async (transaction) => {
    const known = await findRefreshToken(transaction, realm, token)
    if (known && known.revoked_at === null) await revokeTokenFamily(transaction, known.family_id, new Date(now()))
  })
}
