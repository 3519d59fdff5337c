import { consumeEmailToken, findEmailToken } from '../../storage/shoppers/email-tokens.ts'
import { revokeAllShopperTokens } from '../../storage/shoppers/refresh-tokens.ts'
import {
  addShopper,
  findShopperByEmail,
  type ShopperAccount,
  setShopperPassword,
} from '../../storage/shoppers/shopper-accounts.ts'
import { tenantColumns } from '../../storage/tenant-columns.ts'
import { transact } from '../../storage/transact.ts'
import type { CommandContext } from '../command-context.ts'
import { createUnusablePasswordHash } from '../password-hasher.ts'
import { createEmailToken } from './create-email-token.ts'
import { createSetPasswordEmail } from './create-shopper-emails.ts'
import { findOrCreateCustomer } from './find-or-create-customer.ts'
import { handleUnknownEmailToken } from './handle-unknown-email-token.ts'
import { type OpenShopperSession, openShopperSession } from './open-shopper-session.ts'
import type { PendingRegistration } from './register-shopper.ts'
import { toHashingGroup } from './to-hashing-group.ts'

export interface VerificationInput {
  token: string
  password?: string | undefined
}

/**
 * Creates the pending account, links it to the accounting system's customer (an existing or a new one), and signs in. A password from
 * before the proof of the mailbox stops working: a stranger may have registered this address. A new account, and one that was not verified before, gets the
 * password of this request, or none and an email to set one. A verified account keeps its password unless this request has one. `null`:
 * the token is unknown, used or expired. Throws InvalidInput for a token to reset a password.
 */
export async function verifyRegistration(
  context: CommandContext,
  { token, password }: VerificationInput,
  clientAddress: string | null,
): Promise<OpenShopperSession | null> {
  const { commerce, tenant, merchant } = context
  const { db, passwordHasher, now } = commerce
  const found = await findEmailToken(db, tenant, 'verify', token, new Date(now()))
  if (!found) return handleUnknownEmailToken(commerce, tenant, { token, other: 'reset' }, clientAddress)
  const { email } = found
  const shopper: ShopperAccount = {
    ...(await linkCustomer(context, email, JSON.parse(found.payload))),
    ...tenantColumns(tenant),
    email,
    password_hash:
      password === undefined
        ? createUnusablePasswordHash()
        : await passwordHasher.hash(password, toHashingGroup(tenant, 'owner')),
  }
  const confirmed = await transact(db, async (transaction) => {
    const at = new Date(now())
    if (!(await consumeEmailToken(transaction, token, at))) return null
    const { added, wasVerified, shopper: account } = await addShopper(transaction, shopper, at, at)
    const isReplaced = !added && (password !== undefined || !wasVerified)
    if (isReplaced) {
      await setShopperPassword(transaction, account.shopper_id, shopper.password_hash, at)
      await revokeAllShopperTokens(transaction, account.shopper_id, at)
    }
    const request = { commerce, tenant, merchant, email, clientAddress, deviceToken: undefined }
    const lacksPassword = password === undefined && (added || isReplaced)
    const resetToken = lacksPassword ? await createEmailToken(transaction, request, 'reset', {}) : null
    const { password_hash } = isReplaced ? shopper : account
    const session = await openShopperSession(transaction, { ...account, password_hash }, now(), clientAddress)
    return { session, resetToken }
  })
  if (confirmed?.resetToken) commerce.mailer.send(createSetPasswordEmail(merchant, email, confirmed.resetToken))
  return confirmed?.session ?? null
}

/** Returns the ids of the account to create. An account that exists keeps its customer. */
async function linkCustomer(context: CommandContext, email: string, draft: PendingRegistration) {
  const existing = await findShopperByEmail(context.commerce.db, context.tenant, email)
  const { customer_id } = existing ?? (await findOrCreateCustomer(context, { ...draft, email }))
  return { shopper_id: draft.reference, customer_id }
}
