import { createPasswords } from '../commands/passwords.ts'
import type { Database } from '../storage/database.ts'
import { addShopper, findShopperByEmail, makeShopperId, type Realm } from '../storage/shoppers.ts'

/** The sandbox's fixed shoppers, for a merchant whose sandbox is the embedded back office: they sign in with the password that everybody knows. */
export async function sandboxShoppers(db: Database, merchant: string): Promise<void> {
  const { shoppers } = await import('../../fixtures/shoppers.ts')
  const realm: Realm = { tenant_id: merchant, mode: 'sandbox' }
  const passwords = createPasswords()
  const hashes = new Map<string, Promise<string>>()
  for (const { email, password, customer_id } of Object.values(shoppers)) {
    if (await findShopperByEmail(db, realm, email)) continue
    if (!hashes.has(password)) hashes.set(password, passwords.hash(password))
    const password_hash = await hashes.get(password)!
    const now = new Date()
    await addShopper(db, { shopper_id: makeShopperId(), ...realm, email, password_hash, customer_id }, now, now)
  }
}
