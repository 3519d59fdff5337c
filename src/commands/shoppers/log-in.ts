import { Problem } from '../../errors.ts'
import { findShopperByEmail, lockShopperPassword } from '../../storage/shoppers/shopper-accounts.ts'
import { transact } from '../../storage/transact.ts'
import type { Tenant } from '../../tenant.ts'
import { takeSignInAttempt } from '../account-attempt-limits.ts'
import type { CommandDependencies } from '../command-context.ts'
import { identifyShopperClient } from './identify-shopper-client.ts'
import { type OpenShopperSession, openShopperSession } from './open-shopper-session.ts'
import { toHashingGroup } from './to-hashing-group.ts'

export interface Credentials {
  email: string
  password: string
  /** The token that the device got at an earlier sign-in. */
  deviceToken: string | undefined
}

/** Signs a shopper in. Every failure gives the same problem after the same work, so that it does not reveal whether an account exists. */
export async function logIn(
  { db, passwordHasher, throttle, now }: CommandDependencies,
  tenant: Tenant,
  { email, password, deviceToken }: Credentials,
  clientAddress: string | null,
): Promise<OpenShopperSession> {
  const shopper = await findShopperByEmail(db, tenant, email)
  const client = await identifyShopperClient(db, shopper, { clientAddress, deviceToken }, now())
  const group = toHashingGroup(tenant, client.deviceId === null ? 'anybody' : 'owner')
  passwordHasher.requireCapacity(group)
  const attempt = await takeSignInAttempt(throttle, { tenant, account: email, client })
  const isMatch = await passwordHasher.matches(password, shopper?.password_hash ?? null, group)
  if (!shopper || !isMatch) throw new Problem('invalid_credentials')
  const session = await transact(db, async (transaction) =>
    (await lockShopperPassword(transaction, shopper))
      ? openShopperSession(transaction, shopper, now(), clientAddress)
      : null,
  )
  if (!session) throw new Problem('invalid_credentials')
  await attempt.succeed()
  return session
}
