import { Problem } from '../../errors.ts'
import { findShopperByEmail, lockShopperPassword } from '../../storage/shoppers/shopper-accounts.ts'
import { transact } from '../../storage/transact.ts'
import type { Tenant } from '../../tenant.ts'
import type { CommandDependencies } from '../command-context.ts'
import { type OpenShopperSession, openShopperSession } from './shopper-session.ts'

export interface Credentials {
  email: string
  password: string
}

/** Signs a shopper in. Every failure gives the same problem after the same work, so that it does not reveal whether an account exists. */
export async function logIn(
  { db, passwordHasher, throttle, now }: CommandDependencies,
  tenant: Tenant,
  { email, password }: Credentials,
  clientAddress: string | null,
): Promise<OpenShopperSession> {
  await throttle.take('loginsByAddress', tenant, clientAddress)
  await throttle.take('logins', tenant, email)
  const shopper = await findShopperByEmail(db, tenant, email)
  const isMatch = await passwordHasher.matches(password, shopper?.password_hash ?? null)
  if (!shopper || !isMatch) throw new Problem('invalid_credentials')
  const session = await transact(db, async (transaction) =>
    (await lockShopperPassword(transaction, shopper)) ? openShopperSession(transaction, shopper, now()) : null,
  )
  if (!session) throw new Problem('invalid_credentials')
  await throttle.reset('logins', tenant, email)
  await throttle.refund('loginsByAddress', tenant, clientAddress)
  return session
}
