import { findCustomersById } from '../../storage/console-search/commerce-lookups.ts'
import type { FoundRow } from '../../storage/console-search/found-row.ts'
import { findProductsBySku } from '../../storage/console-search/id-lookups.ts'
import type { Database } from '../../storage/database.ts'
import type { Tenant } from '../../tenant.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { toCodePath, toCustomerPath, toProductPath } from '../page-paths.ts'
import { describeErrorCode, isErrorCode } from '../text/error-code-text.ts'
import { describeFoundProduct, type NamingMirror } from './describe-found-product.ts'
import { listNumberSpellings } from './document-numbers.ts'
import { findByIds } from './find-by-ids.ts'
import { findKeyMatches, findShopperMatches } from './find-keys-and-shoppers.ts'
import { findMerchants } from './find-merchants.ts'
import { findProductsByNumber, type SearchedMirror } from './find-products-by-number.ts'
import { findProductsByWords, type WordSearchedMirror } from './find-products-by-words.ts'
import { findTimes } from './find-times.ts'
import { type SearchMatch, toMatches } from './search-match.ts'
import type { SearchText } from './search-text.ts'

export interface SearchParts {
  db: Database
  /** They find products as the shop's search does, and name them. */
  mirrors: readonly (SearchedMirror & WordSearchedMirror & NamingMirror)[]
  merchants: MerchantDirectory
  /** Milliseconds since the epoch. */
  now: () => number
}

export interface FoundMatches {
  matches: SearchMatch[]
  /** The products of these merchants and modes could not be searched for the words. */
  unsearched: Tenant[]
}

/**
 * Finds everything that has this id, name or number, or else the products of these words. Things of merchants that this Forecourt does not serve
 * are not found.
 */
export async function findMatches(parts: SearchParts, search: SearchText): Promise<FoundMatches> {
  const { db, merchants } = parts
  if (search.id === '') return { matches: [], unsearched: [] }
  const found = search.isPublic
    ? await Promise.all([
        findByIds(db, search),
        findByNames(parts, search),
        findKeyMatches(db, search),
        findShopperMatches(db, search),
      ])
    : await Promise.all([findKeyMatches(db, search), findShopperMatches(db, search)])
  const matches = found.flat().filter(({ row }) => merchants.shows(row?.tenant_id ?? null))
  if (!search.isPublic) return { matches: toDistinct(matches), unsearched: [] }
  const named = [...findMerchants(merchants, search.text), ...findTimes(merchants, search.text, parts.now())]
  if (matches.length > 0) return { matches: toDistinct([...matches, ...named]), unsearched: [] }
  if (named.some(({ kind }) => kind === 'Time')) return { matches: named, unsearched: [] }
  const { rows, unsearched } = await findProductsByWords(parts.mirrors, search.text)
  return { matches: toDistinct([...toProductMatches(parts, rows), ...named]), unsearched }
}

const toDistinct = (matches: readonly SearchMatch[]): SearchMatch[] => [
  ...new Map(matches.map((match) => [`${match.kind}\n${match.href}`, match])).values(),
]

const toProductMatches = ({ mirrors }: SearchParts, rows: readonly FoundRow[]): SearchMatch[] =>
  toMatches(
    'Product',
    rows,
    (row) => toProductPath(row.tenant_id!, row.mode, row.id),
    (row) => describeFoundProduct(mirrors, row),
  )

async function findByNames(parts: SearchParts, { text, id }: SearchText): Promise<SearchMatch[]> {
  const { db, mirrors } = parts
  const [customers, products, compactProducts] = await Promise.all([
    findCustomersById(db, [...new Set([id, text, ...listNumberSpellings(text)])]),
    findProductsBySku(db, text),
    text === id ? [] : findProductsBySku(db, id),
  ])
  const numbered = findProductsByNumber(mirrors, text)
  const code = text.toLowerCase().replaceAll(/[\s-]+/g, '_')
  return [
    ...toProductMatches(parts, [...products, ...compactProducts, ...numbered]),
    ...toMatches(
      'Customer',
      customers,
      (row) => toCustomerPath(row.tenant_id!, row.mode, row.id),
      () => 'its carts, orders and accounts',
    ),
    ...(isErrorCode(code) ? [toCodeMatch(code)] : []),
  ]
}

const toCodeMatch = (code: string): SearchMatch => ({
  kind: 'Code',
  name: code,
  href: toCodePath(code),
  note: describeErrorCode(code).name,
  row: null,
})
