import { Problem } from '../../errors.ts'
import { findShopperByEmail, lockShopperPassword, type TenantColumns } from '../../storage/shoppers/shopper-accounts.ts'
import { transact } from '../../storage/transact.ts'
import type { CommandDependencies } from '../command-context.ts'
import { type OpenShopperSession, openShopperSession } from './shopper-session.ts'

export interface Credentials {
  email: string
  password: string
}

/** Signs a shopper in. Every failure is one: the same answer after the same work, whether there is such an account or not. */
export async function logIn(
  { db, passwords, throttle, now }: CommandDependencies,
  realm: TenantColumns,
  { email, password }: Credentials,
  clientAddress: string | null,
): Promise<OpenShopperSession> {
  await throttle.take('loginsFrom', realm, clientAddress)
  await throttle.take('logins', realm, email)
  const shopper = await findShopperByEmail(db, realm, email)
  const right = await passwords.matches(password, shopper?.password_hash ?? null)
  if (!shopper || !right) throw new Problem('invalid_credentials')
  const session = await transact(db, async (transaction) =>
    (await lockShopperPassword(transaction, shopper)) ? openShopperSession(transaction, shopper, now()) : null,
  )
  if (!session) throw new Problem('invalid_credentials')
  await throttle.forget('logins', realm, email)
  await throttle.giveBack('loginsFrom', realm, clientAddress)
  return session
}
