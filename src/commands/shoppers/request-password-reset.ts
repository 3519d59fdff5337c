import { findShopperByEmail } from '../../storage/shoppers/shopper-accounts.ts'
import { isKnownClient, takeEmailAttempt } from '../account-attempt-limits.ts'
import { createEmailToken, type EmailTokenRequest } from './create-email-token.ts'
import { createPasswordResetEmail } from './create-shopper-emails.ts'
import { identifyShopperClient } from './identify-shopper-client.ts'

/**
 * Sends an email if the address has an account. It stores a token either way, so that the time does not reveal whether one exists. When
 * strangers have used up the emails of the address, a known client still gets one. Other clients get none, but the last email still works.
 */
export async function requestPasswordReset(request: EmailTokenRequest): Promise<void> {
  const { commerce, tenant, merchant, email } = request
  const { db, throttle, now } = commerce
  const account = await findShopperByEmail(db, tenant, email)
  const client = await identifyShopperClient(db, account, request, now())
  await takeEmailAttempt(throttle, 'resets', { tenant, account: email, client })
  const limit = account ? 'resetsByAccount' : 'resetsWithoutAccount'
  if (!isKnownClient(client) && !(await throttle.tryTake(limit, tenant, email))) return
  const token = await createEmailToken(db, request, 'reset', {})
  if (account) commerce.mailer.send(createPasswordResetEmail(merchant, email, token))
}
