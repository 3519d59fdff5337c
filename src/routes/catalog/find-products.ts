import type { SearchRequest } from '../../catalog/search/search-request.ts'
import type { ClosestResult, FacetCounts } from '../../catalog/search/search-result.ts'
import type { ProductQuery, SkuListener } from '../../ports/inventory.ts'
import type { BackOffice } from '../../upstream/back-office.ts'
import type { LoadResult } from '../../upstream/read-stack/cached-loader.ts'
import type { SkuPage } from '../../upstream/readers/sku-page.ts'
import type { RequestScope } from '../../upstream/request/request-scope.ts'
import { clampOffset } from '../page-query.ts'
import { isValidSku, isValidVehicleId } from '../valid-upstream-ids.ts'
import type { ListQuery } from './list-parameters.ts'

/** A page of SKUs. `facets`, `corrected` and `closest` come from a mirror alone. */
export interface FoundPage extends SkuPage {
  facets?: FacetCounts
  corrected?: string | null
  closest?: ClosestResult | null
}

export interface ProductSearch {
  query: ListQuery
  backOffice: BackOffice
  /** The customer whose own numbers match. */
  customerId: string | null
  requestScope: RequestScope
}

export const UNREAD_PAGE: FoundPage = { skus: [], newest: 0, total: null, has_more: false }
const EMPTY_PAGE: FoundPage = { ...UNREAD_PAGE, total: 0 }
/** A search text without a word, which some systems would treat as no search. */
const BLANK_TEXT = /^[\p{Cc}\s]+$/u

const toResult = (value: FoundPage): LoadResult<FoundPage> => ({ value, error: null, asOf: 0 })

/** Finds a page of products: in the mirror if there is one, otherwise in the systems. */
export async function findProducts(search: ProductSearch, onSkus?: SkuListener): Promise<LoadResult<FoundPage>> {
  const { query, backOffice } = search
  if (findsNothing(query)) return toResult(EMPTY_PAGE)
  return backOffice.mirror.state === 'ready' ? searchMirror(search) : searchSystems(search, onSkus)
}

/** Returns whether no product can match. */
export const findsNothing = ({ vehicle_id, skus, q }: ListQuery): boolean =>
  (vehicle_id !== undefined && !isValidVehicleId(vehicle_id)) || skus?.length === 0 || BLANK_TEXT.test(q?.trim() ?? '')

async function searchMirror({ query, backOffice, customerId, requestScope }: ProductSearch) {
  const { mirror } = backOffice
  const request = toSearchRequest(query, customerId)
  if (query.slug === undefined) return mirror.search(request, requestScope)
  const { value: sku, ...found } = mirror.findSlug(query.slug, requestScope)
  if (sku === null) return { ...found, value: found.error ? null : EMPTY_PAGE }
  return mirror.search({ ...request, skus: request.skus?.filter((one) => one === sku) ?? [sku] }, requestScope)
}

/** Translates a list's parameters for the search. Blank values, which forms send, are left out. */
export function toSearchRequest(query: ListQuery, customerId: string | null): SearchRequest {
  const { q, sort, skus, vehicle_id, min_price, max_price, availability, facets = [] } = query
  const { limit, offset } = clampOffset(query)
  const categories = withoutBlanks(query.category)
  const tags = withoutBlanks(query.tag)
  const brands = withoutBlanks(query.brand)
  return {
    ...(q?.trim() && { q, customerId }),
    ...(categories && { categories }),
    ...(tags && { tags }),
    ...(brands && { brands }),
    ...(availability && { bands: [...new Set(availability)] }),
    ...(min_price !== undefined && { minPrice: Number(min_price) }),
    ...(max_price !== undefined && { maxPrice: Number(max_price) }),
    ...(skus && { skus: [...new Set(skus)] }),
    ...(vehicle_id !== undefined && { vehicleId: vehicle_id }),
    ...(sort && { sort }),
    facets: [...new Set(facets)],
    limit,
    offset,
  }
}

function withoutBlanks(values: readonly string[] | undefined): string[] | undefined {
  const some = [...new Set(values)].filter((value) => value.trim() !== '')
  return some.length > 0 ? some : undefined
}

async function searchSystems({ query, backOffice, requestScope }: ProductSearch, onSkus: SkuListener | undefined) {
  const skus = query.skus && [...new Set(query.skus)].filter(isValidSku).sort()
  if (skus?.length === 0) return toResult(EMPTY_PAGE)
  const { q, vehicle_id, updated_since, limit, offset } = query
  const [category, tag] = [query.category?.[0], query.tag?.[0]]
  const filters = { q, category, tag, vehicle_id, updated_since }
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  if (skus && given.length === 0) return listSkus(skus, { query, backOffice, requestScope })
  const request = { ...Object.fromEntries(given), ...(skus && { skus }), limit, offset } as ProductQuery
  return backOffice.search(clampOffset(request), requestScope, onSkus)
}

/** Lists SKUs without a search, which some systems do not offer for SKUs. */
async function listSkus(
  skus: readonly string[],
  { query, backOffice, requestScope }: Omit<ProductSearch, 'customerId'>,
): Promise<LoadResult<FoundPage>> {
  const rows = await backOffice.products(skus, requestScope)
  const failed = rows.find(({ value, error }) => value === null && error !== null)
  if (failed) return { value: null, error: failed.error, asOf: 0 }
  const listed = skus.filter((_, at) => rows[at]!.value?.active)
  const end = query.offset + query.limit
  const page = { skus: listed.slice(query.offset, end), newest: 0, total: listed.length, has_more: end < listed.length }
  return toResult(page)
}
