import { consumeEmailToken, findEmailToken, revokeEmailTokens } from '../../storage/shoppers/email-tokens.ts'
import { revokeAllShopperTokens } from '../../storage/shoppers/refresh-tokens.ts'
import { findShopperByEmail, setShopperPassword } from '../../storage/shoppers/shopper-accounts.ts'
import { transact } from '../../storage/transact.ts'
import type { Tenant } from '../../tenant.ts'
import { createUnknownClient, forgetSignInFailures } from '../account-attempt-limits.ts'
import type { CommandDependencies } from '../command-context.ts'
import { handleUnknownEmailToken } from './handle-unknown-email-token.ts'
import { type OpenShopperSession, openShopperSession } from './open-shopper-session.ts'
import { toHashingGroup } from './to-hashing-group.ts'

/** Sets a new password, ends all sessions and opens a new one. `null`: the token is unknown, used or expired. Throws InvalidInput for a token to verify. */
export async function resetPassword(
  { db, passwordHasher, throttle, now }: CommandDependencies,
  tenant: Tenant,
  { token, password }: { token: string; password: string },
  clientAddress: string | null,
): Promise<OpenShopperSession | null> {
  const found = await findEmailToken(db, tenant, 'reset', token, new Date(now()))
  if (!found) return handleUnknownEmailToken({ db, throttle, now }, tenant, { token, other: 'verify' }, clientAddress)
  const passwordHash = await passwordHasher.hash(password, toHashingGroup(tenant, 'owner'))
  const session = await transact(db, async (transaction) => {
    const at = new Date(now())
    if (!(await consumeEmailToken(transaction, token, at))) return null
    const shopper = await findShopperByEmail(transaction, tenant, found.email)
    if (!shopper) return null
    await setShopperPassword(transaction, shopper.shopper_id, passwordHash, at)
    await revokeAllShopperTokens(transaction, shopper.shopper_id, at)
    await revokeEmailTokens(transaction, found, at)
    return openShopperSession(transaction, { ...shopper, password_hash: passwordHash }, now(), clientAddress)
  })
  const attempted = { tenant, account: found.email, client: createUnknownClient(clientAddress) }
  if (session) await forgetSignInFailures(throttle, attempted)
  return session
}
