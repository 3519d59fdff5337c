import { randomBase62 } from '../../security/random-id.ts'
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
import { findOrCreateCustomer } from './find-or-create-customer.ts'
import type { PendingRegistration } from './register-shopper.ts'
import { type OpenShopperSession, openShopperSession } from './shopper-session.ts'

export interface VerificationInput {
  token: string
  /** A password from the mailbox's owner. The pending one is from whoever registered, perhaps a stranger. */
  password?: string | undefined
}

const RANDOM_PASSWORD_LENGTH = 43

/**
 * Creates the pending account, links it to the accounting system's customer (an existing or a new one), and signs in. A stranger's password
 * must not open an existing customer's history: an account linked to an existing customer gets the password of this request, or an unknown
 * one that has to be reset. An account that was created meanwhile keeps its password unless this request has one. `null`: the token is
 * unknown, used or expired.
 */
export async function verifyRegistration(
  context: CommandContext,
  { token, password }: VerificationInput,
  clientAddress: string | null,
): Promise<OpenShopperSession | null> {
  const { commerce, tenant } = context
  const { db, passwordHasher, throttle, now } = commerce
  await throttle.take('tokensByAddress', tenant, clientAddress)
  const found = await findEmailToken(db, tenant, 'verify', token, new Date(now()))
  if (!found) return null
  const { password_hash: pendingHash, ...draft } = JSON.parse(found.payload) as PendingRegistration
  const { email } = found
  const existing = await findShopperByEmail(db, tenant, email)
  const { customer_id, existed } = existing
    ? { customer_id: existing.customer_id, existed: false }
    : await findOrCreateCustomer(context, { ...draft, email })
  const chosenPassword = password ?? (existed ? randomBase62(RANDOM_PASSWORD_LENGTH) : null)
  const password_hash = chosenPassword === null ? pendingHash : await passwordHasher.hash(chosenPassword)
  const shopper: ShopperAccount = {
    ...tenantColumns(tenant),
    shopper_id: draft.reference,
    email,
    password_hash,
    customer_id,
  }
  const session = await transact(db, async (transaction) => {
    const at = new Date(now())
    if (!(await consumeEmailToken(transaction, token, at))) return null
    const { added, shopper: account } = await addShopper(transaction, shopper, at, at)
    if (!added && password !== undefined) {
      await setShopperPassword(transaction, account.shopper_id, password_hash, at)
      await revokeAllShopperTokens(transaction, account.shopper_id, at)
    }
    return openShopperSession(transaction, account, now())
  })
  if (session) await throttle.refund('tokensByAddress', tenant, clientAddress)
  return session
}
