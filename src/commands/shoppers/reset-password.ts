import { findMailboxToken, useMailboxToken, voidMailboxTokens } from '../../storage/shoppers/email-tokens.ts'
import { revokeAllOf } from '../../storage/shoppers/refresh-tokens.ts'
import { findShopperByEmail, type Realm, setPassword } from '../../storage/shoppers/shopper-accounts.ts'
import { transact } from '../../storage/transact.ts'
import type { Commerce } from '../command-context.ts'
import { resetLetter } from '../email-templates.ts'
import { type MailboxAsk, makeMailboxToken, takeLetter } from './mailbox-request.ts'
import { type OpenSession, openSession } from './shopper-session.ts'

/** Sends a letter to whoever has an account. The same work for every address: a token is made and stored for one that has none too. */
export async function askForReset(ask: MailboxAsk): Promise<void> {
  const { commerce, realm, merchant, email } = ask
  await takeLetter(ask)
  const known = await findShopperByEmail(commerce.db, realm, email)
  const token = await makeMailboxToken(commerce.db, ask, 'reset', {})
  if (known) commerce.mail.post(resetLetter(merchant, email, token))
}

/** Sets the password, ends every other sign-in and signs in anew. `null`: the token is unknown, used or expired. */
export async function resetPassword(
  { db, passwords, throttle, now }: Commerce,
  realm: Realm,
  { token, password }: { token: string; password: string },
  clientAddress: string | null,
): Promise<OpenSession | null> {
  await throttle.take('tokensFrom', realm, clientAddress)
  const found = await findMailboxToken(db, realm, 'reset', token, new Date(now()))
  if (!found) return null
  const passwordHash = await passwords.hash(password)
  const session = await transact(db, async (transaction) => {
    const at = new Date(now())
    if (!(await useMailboxToken(transaction, token, at))) return null
    const shopper = await findShopperByEmail(transaction, realm, found.email)
    if (!shopper) return null
    await setPassword(transaction, shopper.shopper_id, passwordHash, at)
    await revokeAllOf(transaction, shopper.shopper_id, at)
    await voidMailboxTokens(transaction, found, at)
    return openSession(transaction, shopper, now())
  })
  if (!session) return null
  await throttle.forget('logins', realm, found.email)
  await throttle.giveBack('tokensFrom', realm, clientAddress)
  return session
}
