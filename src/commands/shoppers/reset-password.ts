import { consumeEmailToken, findEmailToken, revokeEmailTokens } from '../../storage/shoppers/email-tokens.ts'
import { revokeAllShopperTokens } from '../../storage/shoppers/refresh-tokens.ts'
import { findShopperByEmail, setShopperPassword } from '../../storage/shoppers/shopper-accounts.ts'
import { transact } from '../../storage/transact.ts'
import type { Tenant } from '../../tenant.ts'
import {
  createUnknownClient,
  forgetSignInFailures,
  isKnownClient,
  takeEmailAttempt,
} from '../account-attempt-limits.ts'
import type { CommandDependencies } from '../command-context.ts'
import { createMailboxToken, type MailboxRequest } from './create-email-token.ts'
import { createPasswordResetEmail } from './create-shopper-emails.ts'
import { handleUnknownEmailToken } from './handle-unknown-email-token.ts'
import { identifyShopperClient } from './identify-shopper-client.ts'
import { type OpenShopperSession, openShopperSession } from './open-shopper-session.ts'
import { toHashingGroup } from './to-hashing-group.ts'

/**
 * Sends an email if the address has an account. It stores a token either way, so that the time does not reveal whether one exists. When
 * strangers have used up the emails of the address, a known client still gets one. Other clients get none, but the last email still works.
 */
export async function requestPasswordReset(request: MailboxRequest): Promise<void> {
  const { commerce, tenant, merchant, email } = request
  const { db, throttle, now } = commerce
  const account = await findShopperByEmail(db, tenant, email)
  const client = await identifyShopperClient(db, account, request, now())
  await takeEmailAttempt(throttle, 'resets', { tenant, account: email, client })
  const limit = account ? 'resetsByAccount' : 'resetsWithoutAccount'
  if (!isKnownClient(client) && !(await throttle.tryTake(limit, tenant, email))) return
  const token = await createMailboxToken(db, request, 'reset', {})
  if (account) commerce.mailer.send(createPasswordResetEmail(merchant, email, token))
}

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
