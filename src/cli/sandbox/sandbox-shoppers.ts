import { createPasswordHasher } from '../../commands/password-hasher.ts'
import type { Database } from '../../storage/database.ts'
import { revokeAllShopperTokens } from '../../storage/shoppers/refresh-tokens.ts'
import {
  addShopper,
  deleteShopper,
  findShopperByEmail,
  generateShopperId,
  type TenantColumns,
} from '../../storage/shoppers/shopper-accounts.ts'
import { transact } from '../../storage/transact.ts'

/** The sandbox's fixed shoppers, for a merchant whose sandbox is the embedded back office: they sign in with the password that everybody knows. */
export async function addSandboxShoppers(db: Database, merchant: string): Promise<void> {
  const { shoppers } = await import('../../../fixtures/shoppers.ts')
  const realm: TenantColumns = { tenant_id: merchant, mode: 'sandbox' }
  const passwords = createPasswordHasher()
  const hashes = new Map<string, Promise<string>>()
  for (const { email, password, customer_id } of Object.values(shoppers)) {
    if (await findShopperByEmail(db, realm, email)) continue
    if (!hashes.has(password)) hashes.set(password, passwords.hash(password))
    const password_hash = await hashes.get(password)!
    const now = new Date()
    await addShopper(db, { shopper_id: generateShopperId(), ...realm, email, password_hash, customer_id }, now, now)
  }
}

/** Of a merchant whose sandbox is a system of its own by now: what everybody may open in the embedded one opens nothing in that. */
export async function removeSandboxShoppers(db: Database, merchant: string): Promise<void> {
  const { shoppers } = await import('../../../fixtures/shoppers.ts')
  const realm: TenantColumns = { tenant_id: merchant, mode: 'sandbox' }
  for (const { email, customer_id } of Object.values(shoppers)) {
    const there = await findShopperByEmail(db, realm, email)
    if (there?.customer_id !== customer_id) continue
    await transact(db, async (transaction) => {
      await revokeAllShopperTokens(transaction, there.shopper_id, new Date())
      await deleteShopper(transaction, there.shopper_id)
    })
  }
}
