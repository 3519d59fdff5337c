import { consumeEmailToken, findEmailToken, revokeEmailTokens } from '../../storage/shoppers/email-tokens.ts'
import { revokeAllShopperTokens } from '../../storage/shoppers/refresh-tokens.ts'
import { findShopperByEmail, setShopperPassword, type TenantColumns } from '../../storage/shoppers/shopper-accounts.ts'
import { transact } from '../../storage/transact.ts'
import type { CommandDependencies } from '../command-context.ts'
import { createPasswordResetEmail } from '../email-templates.ts'
import { createMailboxToken, type MailboxRequest, takeEmailAllowance } from './mailbox-request.ts'
import { type OpenShopperSession, openShopperSession } from './shopper-session.ts'

/** Sends a letter to whoever has an account. The same work for every address: a token is made and stored for one that has none too. */
export async function requestPasswordReset(ask: MailboxRequest): Promise<void> {
  const { commerce, realm, merchant, email } = ask
  await takeEmailAllowance(ask)
  const known = await findShopperByEmail(commerce.db, realm, email)
  const token = await createMailboxToken(commerce.db, ask, 'reset', {})
  if (known) commerce.mail.post(createPasswordResetEmail(merchant, email, token))
}

/** Sets the password, ends every other sign-in and signs in anew. `null`: the token is unknown, used or expired. */
export async function resetPassword(
  { db, passwords, throttle, now }: CommandDependencies,
  realm: TenantColumns,
  { token, password }: { token: string; password: string },
  clientAddress: string | null,
): Promise<OpenShopperSession | null> {
  await throttle.take('tokensFrom', realm, clientAddress)
  const found = await findEmailToken(db, realm, 'reset', token, new Date(now()))
  if (!found) return null
  const passwordHash = await passwords.hash(password)
  const session = await transact(db, async (transaction) => {
    const at = new Date(now())
    if (!(await consumeEmailToken(transaction, token, at))) return null
    const shopper = await findShopperByEmail(transaction, realm, found.email)
    if (!shopper) return null
    await setShopperPassword(transaction, shopper.shopper_id, passwordHash, at)
    await revokeAllShopperTokens(transaction, shopper.shopper_id, at)
    await revokeEmailTokens(transaction, found, at)
    return openShopperSession(transaction, shopper, now())
  })
  if (!session) return null
  await throttle.forget('logins', realm, found.email)
  await throttle.giveBack('tokensFrom', realm, clientAddress)
  return session
}
