import { findRefreshToken, revokeFamily } from '../../storage/shoppers/refresh-tokens.ts'
import type { Realm } from '../../storage/shoppers/shopper-accounts.ts'
import { transact } from '../../storage/transact.ts'
import type { Commerce } from '../command-context.ts'

/** Ends the sign-in that this refresh token, used or not, belongs to; there may be none. */
export async function logOut({ db, now }: Commerce, realm: Realm, token: string): Promise<void> {
  await transact(db, async (transaction) => {
    const known = await findRefreshToken(transaction, realm, token)
    if (known && known.revoked_at === null) await revokeFamily(transaction, known.family_id, new Date(now()))
  })
}
