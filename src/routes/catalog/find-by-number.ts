import type { NumberMatchInfo } from '../../contract/catalog/number-lookup.ts'
import type { Product } from '../../ports/inventory.ts'
import { normalizeNumber } from '../../ports/normalize-number.ts'
import { type NumberMatch, referenceKinds } from '../../ports/reference.ts'
import { type AssembledSections, fanOut } from '../../sections/fan-out.ts'
import { columnSection, required, valueSection } from '../../sections/section.ts'
import type { BackOffice } from '../../upstream/back-office.ts'
import type { LoadResult } from '../../upstream/read-stack/cached-loader.ts'
import type { SkuPage } from '../../upstream/readers/sku-page.ts'
import type { RequestScope } from '../../upstream/request/request-scope.ts'
import { isValidSku } from '../valid-upstream-ids.ts'

export interface FoundProduct {
  product: Product
  match: NumberMatchInfo
}

interface NumberSearch {
  /** As the shopper typed it. */
  number: string
  /** The products with this number in the stored references. */
  matches: readonly NumberMatch[]
  backOffice: BackOffice
  requestScope: RequestScope
}

type Outcome = Pick<AssembledSections<object>, 'errors' | 'traces'>

const MAX_RESULTS = 50
/** A number is distinctive: a product that has it is among the first results of a search for it. */
const SEARCH_LIMIT = 50
const KINDS = ['SKU', 'CUSTOMER', 'MPN', 'BARCODE', ...referenceKinds] as const

/**
 * Finds the products that have a number: by the stored references and as a SKU, and if there is none, by a search of the inventory,
 * which knows manufacturers' numbers and barcodes.
 */
export async function findByNumber(search: NumberSearch): Promise<Outcome & { found: FoundProduct[] }> {
  const known = await findKnown(search)
  if (known.found.length > 0 || known.errors.length > 0) return known
  const { number } = search
  const outcomes: Outcome[] = [known]
  for (const q of new Set([number, toWords(number)])) {
    const searched = await findInInventory(q, search)
    outcomes.push(searched)
    if (searched.found.length > 0 || searched.errors.length > 0)
      return { found: searched.found, errors: searched.errors, traces: outcomes.flatMap(({ traces }) => traces) }
  }
  return { found: [], errors: [], traces: outcomes.flatMap(({ traces }) => traces) }
}

async function findKnown({ number, matches, backOffice, requestScope }: NumberSearch) {
  const typed = [number, number.toUpperCase()].map(
    (sku): NumberMatch => ({ sku, kind: 'SKU', brand: null, number: sku }),
  )
  const best = new Map<string, NumberMatch>()
  for (const match of [...matches, ...typed].sort(byKind))
    if (isValidSku(match.sku) && !best.has(match.sku)) best.set(match.sku, match)
  const candidates = [...best.values()].slice(0, MAX_RESULTS)
  const skus = candidates.map(({ sku }) => sku)
  const { values, errors, traces } = await fanOut(requestScope, {
    data: required(backOffice.products(skus, requestScope).then(columnSection)),
  })
  const found = candidates.flatMap(({ kind, brand, number }, at) => {
    const product = values.data[at]
    return product?.active ? [{ product, match: { kind, brand: kind === 'SKU' ? product.brand : brand, number } }] : []
  })
  return { found, errors, traces }
}

const byKind = (a: NumberMatch, b: NumberMatch) =>
  KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || (a.sku < b.sku ? -1 : a.sku > b.sku ? 1 : 0)

/** `BP1001` and `bp-1001` become `BP 1001`: a system that compares words finds both spellings of a number. */
const toWords = (number: string): string => number.match(/\p{L}+|\p{N}+/gu)?.join(' ') ?? number

async function findInInventory(q: string, { number, backOffice, requestScope }: NumberSearch) {
  const query = { q, limit: SEARCH_LIMIT, offset: 0 }
  const { mirror } = backOffice
  const search: Promise<LoadResult<SkuPage>> =
    mirror.state === 'ready' ? mirror.search(query, requestScope) : backOffice.search(query, requestScope)
  const searched = await fanOut(requestScope, { data: required(search.then(valueSection)) })
  const rows = await fanOut(requestScope, {
    data: required(backOffice.products(searched.values.data?.skus ?? [], requestScope).then(columnSection)),
  })
  const key = normalizeNumber(number)
  const found = rows.values.data.flatMap((product): FoundProduct[] => {
    const match = product?.active ? matchOwnNumber(product, key) : null
    return match ? [{ product: product!, match }] : []
  })
  const errors = searched.errors.length > 0 ? searched.errors : rows.errors
  return { found, errors, traces: [...searched.traces, ...rows.traces] }
}

/** Returns which of a product's own numbers this is; `null`: none. */
function matchOwnNumber({ sku, brand, mpn, barcode }: Product, key: string): NumberMatchInfo | null {
  const own = [
    ['SKU', sku],
    ['MPN', mpn],
    ['BARCODE', barcode],
  ] as const
  const [kind, number] = own.find(([, candidate]) => candidate !== null && normalizeNumber(candidate) === key) ?? []
  return kind && number ? { kind, brand, number } : null
}
