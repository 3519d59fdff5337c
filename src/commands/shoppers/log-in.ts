import { Problem } from '../../errors.ts'
import { findShopperByEmail, holdPassword, type Realm } from '../../storage/shoppers/shopper-accounts.ts'
import { transact } from '../../storage/transact.ts'
import type { Commerce } from '../command-context.ts'
import { type OpenSession, openSession } from './shopper-session.ts'

export interface Credentials {
  email: string
  password: string
}

/** Signs a shopper in. Every failure is one: the same answer after the same work, whether there is such an account or not. */
export async function logIn(
  { db, passwords, throttle, now }: Commerce,
  realm: Realm,
  { email, password }: Credentials,
  clientAddress: string | null,
): Promise<OpenSession> {
  await throttle.take('loginsFrom', realm, clientAddress)
  await throttle.take('logins', realm, email)
  const shopper = await findShopperByEmail(db, realm, email)
  const right = await passwords.matches(password, shopper?.password_hash ?? null)
  if (!shopper || !right) throw new Problem('invalid_credentials')
  const session = await transact(db, async (transaction) =>
    (await holdPassword(transaction, shopper)) ? openSession(transaction, shopper, now()) : null,
  )
  if (!session) throw new Problem('invalid_credentials')
  await throttle.forget('logins', realm, email)
  await throttle.giveBack('loginsFrom', realm, clientAddress)
  return session
}
