import { normalizeNumber } from '../../ports/normalize-number.ts'
import { findCustomersById } from '../../storage/console-search/commerce-lookups.ts'
import type { FoundRow } from '../../storage/console-search/found-row.ts'
import { findProductsBySku } from '../../storage/console-search/id-lookups.ts'
import type { Database } from '../../storage/database.ts'
import type { Tenant } from '../../tenant.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { toCodePath, toCustomerPath, toProductPath } from '../page-paths.ts'
import { describeErrorCode, isErrorCode } from '../text/error-code-text.ts'
import { describeFoundProduct, type NamingMirror } from './describe-found-product.ts'
import { listNumberSpellings } from './document-number-spellings.ts'
import { findByIds } from './find-by-ids.ts'
import { findKeyMatches, findShopperMatches } from './find-keys-and-shoppers.ts'
import { findMerchants } from './find-merchants.ts'
import { findMerchantsBesideNumber } from './find-merchants-beside-number.ts'
import { findProductsByNumber, type SearchedMirror } from './find-products-by-number.ts'
import { findProductsByWords, type WordSearchedMirror } from './find-products-by-words.ts'
import { findTimes } from './find-times.ts'
import { type CatalogParts, listCatalogs } from './list-catalogs.ts'
import { type SearchMatch, toMatches } from './search-match.ts'
import { parseSearchText, type SearchText } from './search-text.ts'

export interface SearchParts extends Pick<CatalogParts, 'upstreams'> {
  db: Database
  /** They find products as the shop's search does, and name them. */
  mirrors: readonly (SearchedMirror & WordSearchedMirror & NamingMirror)[]
  merchants: MerchantDirectory
  /** Milliseconds since the epoch. */
  now: () => number
}

/** A product that a merchant may have. It is not known, because this machine has no copy of the merchant's catalog. */
export interface PossibleProduct extends Tenant {
  sku: string
}

export interface FoundMatches {
  matches: SearchMatch[]
  possibleProducts: PossibleProduct[]
  /** The products of these merchants and modes could not be searched for the words. */
  unsearched: Tenant[]
}

/**
 * Finds everything that has this id, name or number, or else the products of these words. With a merchant beside a number, it finds only
 * what this merchant has. It finds nothing of merchants that this Forecourt does not serve.
 */
export async function findMatches(parts: SearchParts, search: SearchText): Promise<FoundMatches> {
  const nothing = { matches: [], possibleProducts: [], unsearched: [] }
  if (search.id === '') return nothing
  const { merchants } = parts
  const matches = await findByText(parts, search)
  if (!search.isPublic) return { ...nothing, matches }
  const named = [...findMerchants(merchants, search.text), ...findTimes(merchants, search.text, parts.now())]
  if (matches.length > 0)
    return {
      ...nothing,
      matches: toDistinct([...matches, ...named]),
      possibleProducts: listPossibleProducts(parts, merchants.ids, toSku(matches, search.text)),
    }
  if (named.some(({ kind }) => kind === 'Time')) return { ...nothing, matches: named }
  const own = await findOfMerchants(parts, search.text)
  if (own.matches.length > 0) return { ...nothing, ...own }
  // The first word of a merchant's name may be a word of its products.
  const { rows, unsearched } = await findProductsByWords(parts.mirrors, search.text)
  return {
    matches: toDistinct([...toProductMatches(parts, rows), ...named]),
    possibleProducts: own.possibleProducts,
    unsearched,
  }
}

async function findByText(parts: SearchParts, search: SearchText): Promise<SearchMatch[]> {
  const { db, merchants } = parts
  const found = await Promise.all([
    ...(search.isPublic ? [findByIds(db, search), findByNames(parts, search)] : []),
    findKeyMatches(db, search),
    findShopperMatches(db, search),
  ])
  return toDistinct(found.flat().filter(({ row }) => merchants.shows(row?.tenant_id ?? null)))
}

/** Finds what has a number at the merchants beside it. Many merchants may have the same first word in their names. */
async function findOfMerchants(
  parts: SearchParts,
  text: string,
): Promise<Pick<FoundMatches, 'matches' | 'possibleProducts'>> {
  const byRest = Map.groupBy(findMerchantsBesideNumber(parts.merchants, text), ({ rest }) => rest)
  const found = await Promise.all(
    [...byRest].map(async ([rest, named]) => {
      const everywhere = await findByText(parts, parseSearchText(rest))
      return named.map(({ merchant }) => {
        const matches = everywhere.filter(({ row }) => row?.tenant_id === merchant)
        const sku = matches.length === 0 ? (toSku(everywhere, rest) ?? rest) : toSku(matches, rest)
        return { matches, possibleProducts: listPossibleProducts(parts, [merchant], sku) }
      })
    }),
  )
  return {
    matches: found.flat().flatMap(({ matches }) => matches),
    possibleProducts: found.flat().flatMap(({ possibleProducts }) => possibleProducts),
  }
}

/** Returns the SKU in a text, spelled as in a found product; `null` if it is not the SKU of one. */
function toSku(matches: readonly SearchMatch[], text: string): string | null {
  const number = normalizeNumber(text)
  return matches.find(({ kind, name }) => kind === 'Product' && normalizeNumber(name) === number)?.name ?? null
}

function listPossibleProducts(parts: SearchParts, merchants: readonly string[], sku: string | null): PossibleProduct[] {
  if (sku === null) return []
  return listCatalogs(parts)
    .filter(({ merchant, isCopied }) => !isCopied && merchants.includes(merchant))
    .map(({ merchant, mode }) => ({ merchant, mode, sku }))
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
