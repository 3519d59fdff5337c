import type { TenantMirror } from '../../changes/mirror/tenant-mirror.ts'
import { normalizeNumber } from '../../ports/normalize-number.ts'
import type { FoundRow } from '../../storage/console-search/found-row.ts'

export type SearchedMirror = Pick<TenantMirror, 'tenant' | 'isServing' | 'productsByNumber'>

/** Other products of a number, such as "N/A", help nobody. */
const MAX_PRODUCTS = 20

/** Returns the products whose SKU or other number is this one, as the shop's search compares them: `bp 1002` is BP-1002. */
export function findProductsByNumber(mirrors: readonly SearchedMirror[], text: string): FoundRow[] {
  const number = normalizeNumber(text)
  if (number === '') return []
  return mirrors
    .filter(({ isServing }) => isServing)
    .flatMap((mirror) => readSkus(mirror, number).map((id) => ({ ...toColumns(mirror), id })))
    .slice(0, MAX_PRODUCTS)
}

const toColumns = ({ tenant: { merchant, mode } }: SearchedMirror) => ({ tenant_id: merchant, mode })

function readSkus(mirror: SearchedMirror, number: string): string[] {
  try {
    return [...new Set(mirror.productsByNumber(number, null).map(({ sku }) => sku))]
  } catch {
    // The file is damaged, and is being replaced: the page Mirrors says so.
    return []
  }
}
