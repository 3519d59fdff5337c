import type { MirrorProduct } from '../../catalog/mirror/file/mirror-row.ts'
import type { TenantMirror } from '../../changes/mirror/tenant-mirror.ts'
import type { FoundRow } from '../../storage/console-search/found-row.ts'

export type NamingMirror = Pick<TenantMirror, 'tenant' | 'isServing' | 'products'>

/** Returns the name of a product in its merchant's mirror, and what it lacks there; `null`: there is no mirror, or it does not have the product. */
export function describeFoundProduct(
  mirrors: readonly NamingMirror[],
  { tenant_id, mode, id }: FoundRow,
): string | null {
  const mirror = mirrors.find(({ tenant }) => tenant.merchant === tenant_id && tenant.mode === mode)
  if (!mirror?.isServing) return null
  try {
    const [found] = mirror.products([id])
    return found ? describeProduct(found) : null
  } catch {
    // The file is damaged, and is being replaced: the page Mirrors says so.
    return null
  }
}

/** A part that was not read yet is absent; one without a value is `null`. */
function describeProduct({ product, price, availability, tax }: MirrorProduct): string {
  const lacks = [
    ...(price === null ? ['no price in pricing'] : []),
    ...(availability === null ? ['no stock in inventory'] : []),
    ...(tax === null ? ['no tax in accounting'] : []),
  ]
  if (lacks.length === 0) return product.name
  // A customer may have a price and a tax of its own, and no stock of its own.
  const except = availability === null ? '' : ', except by customers who have their own'
  return `${product.name}. It cannot be ordered${except}: ${lacks.join(', ')}`
}
