import type { TenantMirror } from '../../changes/mirror/tenant-mirror.ts'
import type { FoundRow } from '../../storage/console-search/id-lookups.ts'

export type NamingMirror = Pick<TenantMirror, 'tenant' | 'isServing' | 'products'>

/** Returns the name of a product in its merchant's mirror; `null`: there is no mirror, or it does not have the product. */
export function readProductName(mirrors: readonly NamingMirror[], { tenant_id, mode, id }: FoundRow): string | null {
  const mirror = mirrors.find(({ tenant }) => tenant.merchant === tenant_id && tenant.mode === mode)
  if (!mirror?.isServing) return null
  try {
    return mirror.products([id])[0]?.product.name ?? null
  } catch {
    // The file is damaged, and is being replaced: the page Mirrors says so.
    return null
  }
}
