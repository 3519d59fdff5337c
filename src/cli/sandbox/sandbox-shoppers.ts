import { createPasswordHasher } from '../../commands/password-hasher.ts'
import type { Database } from '../../storage/database.ts'
import { revokeAllShopperTokens } from '../../storage/shoppers/refresh-tokens.ts'
import {
  addShopper,
  deleteShopper,
  findShopperByEmail,
  generateShopperId,
} from '../../storage/shoppers/shopper-accounts.ts'
import { tenantColumns } from '../../storage/tenant-columns.ts'
import { transact } from '../../storage/transact.ts'
import type { Tenant } from '../../tenant.ts'

/** Adds the fixed shoppers of the embedded back office to a merchant's sandbox. Their password is public. */
export async function addSandboxShoppers(db: Database, merchant: string): Promise<void> {
  const { shoppers } = await import('../../../fixtures/shoppers.ts')
  const tenant: Tenant = { merchant, mode: 'sandbox' }
  const passwords = createPasswordHasher()
  const hashes = new Map<string, Promise<string>>()
  for (const { email, password, customer_id } of Object.values(shoppers)) {
    if (await findShopperByEmail(db, tenant, email)) continue
    if (!hashes.has(password)) hashes.set(password, passwords.hash(password))
    const password_hash = await hashes.get(password)!
    const now = new Date()
    const shopper_id = generateShopperId()
    await addShopper(db, { shopper_id, ...tenantColumns(tenant), email, password_hash, customer_id }, now, now)
  }
}

/** Removes the fixed shoppers from a merchant with sandbox systems of its own: their public password must not work there. */
export async function removeSandboxShoppers(db: Database, merchant: string): Promise<void> {
  const { shoppers } = await import('../../../fixtures/shoppers.ts')
  const tenant: Tenant = { merchant, mode: 'sandbox' }
  for (const { email, customer_id } of Object.values(shoppers)) {
    const account = await findShopperByEmail(db, tenant, email)
    if (account?.customer_id !== customer_id) continue
    await transact(db, async (transaction) => {
      await revokeAllShopperTokens(transaction, account.shopper_id, new Date())
      await deleteShopper(transaction, account.shopper_id)
    })
  }
}
