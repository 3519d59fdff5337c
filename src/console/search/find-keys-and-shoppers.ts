import { findShoppersByEmail, findShoppersById } from '../../storage/console-search/commerce-lookups.ts'
import { type FoundKey, findKeysByText } from '../../storage/console-search/id-lookups.ts'
import type { Database } from '../../storage/database.ts'
import { findApiKey } from '../../storage/keys/api-keys.ts'
import { toCustomerPath, toKeyPath, toShopperPath } from '../page-paths.ts'
import type { SearchMatch } from './search-match.ts'
import type { SearchText } from './search-text.ts'

/** Finds keys by their first characters, id or label. A whole key is found by its digest, and never shown. */
export async function findKeyMatches(
  db: Database,
  { key, text, id, keyPrefix, isPublic }: SearchText,
): Promise<SearchMatch[]> {
  if (key !== null) {
    const record = await findApiKey(db, key)
    return record ? [toKeyMatch({ ...record, id: record.key_id })] : []
  }
  if (!isPublic && keyPrefix === null) return []
  const found = await findKeysByText(db, {
    text: keyPrefix === null && text.includes(' ') ? text : id,
    prefix: keyPrefix,
  })
  return found.map(toKeyMatch)
}

const toKeyMatch = ({ id, tenant_id, mode, hint, label }: FoundKey): SearchMatch => ({
  kind: 'Key',
  name: hint,
  href: toKeyPath(id),
  note: label,
  row: { id, tenant_id, mode },
})

/** Finds the accounts of an email address, or of an account's id. The address is not part of a match. */
export async function findShopperMatches(db: Database, { email, id }: SearchText): Promise<SearchMatch[]> {
  const shoppers = email === null ? await findShoppersById(db, id) : await findShoppersByEmail(db, email)
  return shoppers.map((row) => {
    const { tenant_id, mode, customer_id } = row
    return customer_id === null
      ? { kind: 'Shopper account', name: row.id, href: toShopperPath(row.id), note: 'without a customer', row }
      : { kind: 'Customer', name: customer_id, href: toCustomerPath(tenant_id!, mode, customer_id), row }
  })
}
