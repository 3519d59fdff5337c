import type { MerchantDirectory } from '../merchant-directory.ts'
import { toProductPath } from '../page-paths.ts'
import type { PossibleProduct } from './find-matches.ts'
import type { SearchMatch } from './search-match.ts'

export const NOT_SEARCHED =
  'Not known: this machine has no copy of this catalog. The page of the product reads from its systems.'

/** Lists products that merchants may have among those that were found: which of them this machine has a copy of says nothing of whom a caller means. */
export function mergePossibleProducts(
  matches: readonly SearchMatch[],
  possibleProducts: readonly PossibleProduct[],
  merchants: Pick<MerchantDirectory, 'name'>,
): SearchMatch[] {
  if (possibleProducts.length === 0) return [...matches]
  const first = matches.findIndex(isProduct)
  const products = [...matches.filter(isProduct), ...possibleProducts.map(toMatch)]
  const rankOf = ({ row }: SearchMatch) => `${row?.mode} ${merchants.name(row?.tenant_id ?? null)}`
  const sorted = products.toSorted((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1))
  const others = matches.filter((match) => !isProduct(match))
  return first === -1 ? [...others, ...sorted] : others.toSpliced(first, 0, ...sorted)
}

const isProduct = ({ kind }: SearchMatch) => kind === 'Product'

const toMatch = ({ merchant, mode, sku }: PossibleProduct): SearchMatch => ({
  ...{ kind: 'Product', name: sku, href: toProductPath(merchant, mode, sku), note: NOT_SEARCHED },
  row: { tenant_id: merchant, mode, id: sku },
})
