import { summarizeAvailability } from '../../catalog/availability-bands.ts'
import type { ChangedProduct } from '../../catalog/mirror/file/mirror-row.ts'
import { toPagination } from '../../contract/pagination.ts'
import type { ProductListItem } from '../../contract/product.ts'
import type { ApiRequest, ApiResponse } from '../../http/route.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { required, type Section, valueSection } from '../../sections/section.ts'
import type { SectionError } from '../../sections/section-errors.ts'
import type { ChangedCatalogPage } from '../../upstream/mirror/mirror-reader.ts'
import { clampOffset } from '../page-query.ts'
import { catalogLoading } from './catalog-loading-error.ts'
import { findsNothing, toSearchRequest } from './find-products.ts'
import type { ListQuery } from './list-parameters.ts'
import { fromMicroseconds, toMicroseconds } from './microseconds.ts'
import { toInactiveProduct, toPriceInfo } from './product-list-item.ts'
import { createListRowsReader } from './product-list-reader.ts'
import { syncPageStartsOf } from './sync-page-starts.ts'
import { isInFuture } from './sync-watermark.ts'

type ChangeRequest = Omit<ApiRequest, 'query'> & { query: ListQuery }
type Found = Section<ChangedCatalogPage | null>

interface ChangedRows {
  page: Found
  /** The page begins where an earlier one ended, or at the beginning: no row can be missing before it. */
  isContinuous: boolean
}

const MINUTE_MS = 60_000

/** Lists what has changed in the mirror, in the order of its own sequence, whatever the clocks of the systems say. Throws 503 if its file cannot be read. */
export async function listChanges(request: ChangeRequest, since: string): Promise<ApiResponse> {
  const { query, requestScope, backOffice } = request
  const { page, isContinuous } = readChanges(request, since)
  if (page.value === null && backOffice.mirror.state !== 'ready') throw catalogLoading()
  const found = await fanOut(requestScope, { data: required(Promise.resolve(page)) })
  const changes = page.value!
  const { listed, errors: notOffered } = await filterChanges(changes.products, request)
  const rows = await createListRowsReader(request).readSections(listed.map(({ product }) => product))
  const isMissing = new Set(rows.errors.map(({ field }) => field))
  const data = listed.map((changed) =>
    changed.product.active
      ? withOwnParts(rows.itemOf(changed.product), changed, request, isMissing)
      : toInactiveProduct(changed.product),
  )
  const errors = [...found.errors, ...notOffered, ...rows.errors]
  const last = changes.products.at(-1)?.sequence
  const total = hasFilter(query) ? null : (changes.total ?? (await countAll(request, since, changes.products)))
  const isEnd = last === undefined || !isContinuous || notOffered.length > 0
  const watermark = isEnd ? keepPosition(request, since) : fromMicroseconds(last + 1)
  return {
    body: {
      data,
      pagination: toPagination(query, data.length, total, changes.has_more && notOffered.length === 0),
      sync: { watermark, ...toAge(page, request.commerce.now()) },
      errors,
    },
    errors,
    traces: [...found.traces, ...rows.traces],
  }
}

/**
 * Returns the watermark of a page that does not move it. A time in the future becomes the current time, because a client that stored it would see
 * no change until then; unless the mirror itself is ahead, as after a correction of the clock.
 */
function keepPosition({ backOffice, commerce, requestScope }: ChangeRequest, since: string): string {
  const now = commerce.now()
  if (!isInFuture(since, now)) return since
  const later = backOffice.mirror.changes({ after: now * 1_000, limit: 1, offset: 0 }, requestScope)
  return later.value?.products.length === 0 ? new Date(now).toISOString() : since
}

/** Reads a page of changes. Its offset counts rows, but a page that follows another begins after the other's last change. */
function readChanges({ query, backOffice, requestScope }: ChangeRequest, since: string): ChangedRows {
  const { limit, offset } = clampOffset(query)
  const positions = syncPageStartsOf(backOffice)
  const known = offset === 0 ? toMicroseconds(since) : positions.find(since, offset)
  const from = known ?? toMicroseconds(since)
  const range = { after: from - 1, limit, offset: known === undefined ? offset : 0 }
  const page = valueSection(backOffice.mirror.changes(range, requestScope))
  const last = page.value?.products.at(-1)
  if (known !== undefined && last) positions.remember(since, offset + limit, last.sequence + 1)
  if (known !== undefined && page.value && page.value.total !== null)
    page.value = { ...page.value, total: page.value.total + offset }
  return { page, isContinuous: known !== undefined }
}

/** Counts what follows the page: its next page then knows its own total. */
async function countAll({ query, backOffice }: ChangeRequest, since: string, page: readonly ChangedProduct[]) {
  const last = page.at(-1)
  if (!last) return backOffice.mirror.countChanges(toMicroseconds(since) - 1)
  const following = await backOffice.mirror.countChanges(last.sequence)
  return following === null ? null : clampOffset(query).offset + page.length + following
}

/** Shows the list price, tax and band of the change itself: a cached one may be older, and no later change would correct the client. */
function withOwnParts(
  item: ProductListItem,
  { price, tax, availability }: ChangedProduct,
  { customerId, merchant }: ChangeRequest,
  isMissing: ReadonlySet<string>,
): ProductListItem {
  const isOwn = (field: string, part: unknown) => part != null && !isMissing.has(field)
  const isList = customerId === null
  return {
    ...item,
    ...(isList && isOwn('price', price) && { price: toPriceInfo(price!, merchant.currency) }),
    ...(isList && isOwn('tax', tax) && { tax: { code: tax!.code, name: tax!.name, rate: tax!.rate } }),
    ...(isOwn('availability', availability) && {
      availability: summarizeAvailability(availability!),
    }),
  }
}

interface FilteredChanges {
  listed: ChangedProduct[]
  /** What the merchant does not offer. Nothing is listed then, and the client stays where it is: what would match is not known. */
  errors: SectionError[]
}

/** Leaves out the active products that the other parameters exclude. */
async function filterChanges(
  products: readonly ChangedProduct[],
  { query, backOffice, customerId, requestScope }: ChangeRequest,
): Promise<FilteredChanges> {
  if (!hasFilter(query)) return { listed: [...products], errors: [] }
  const wanted = query.skus && new Set(query.skus)
  const isWanted = ({ product }: ChangedProduct) => !wanted || wanted.has(product.sku)
  const listed = products.filter(isWanted)
  const skus = listed.filter(({ product }) => product.active).map(({ product }) => product.sku)
  if (skus.length === 0 || findsNothing(query))
    return { listed: listed.filter(({ product }) => !product.active), errors: [] }
  const search = { ...toSearchRequest(query, customerId), skus, limit: skus.length, offset: 0 }
  const found = await fanOut(requestScope, {
    data: required(backOffice.mirror.search(search, requestScope, { usesInventory: false }).then(valueSection)),
  })
  if (!found.values.data) return { listed: [], errors: found.errors }
  const matching = new Set(found.values.data.skus)
  return { listed: listed.filter(({ product }) => !product.active || matching.has(product.sku)), errors: [] }
}

const NO_FILTERS = new Set<string>(['updated_since', 'limit', 'offset', 'sort', 'facets'])
const hasFilter = (query: ListQuery) => Object.keys(query).some((name) => !NO_FILTERS.has(name))

/**
 * Returns how old the catalog is. The time changes with every poll of the systems, so it is rounded down to the minute: a page without
 * changes keeps its ETag for a minute. Past the merchant's limit, where nothing is cached, it is exact.
 */
function toAge({ value, error, asOf }: Found, now: number) {
  const at = value!.asOf || asOf
  const exact = error !== null
  return {
    as_of: new Date(exact ? at : Math.floor(at / MINUTE_MS) * MINUTE_MS).toISOString(),
    lag_seconds: exact ? Math.max(0, Math.ceil((now - at) / 1_000)) : 0,
  }
}
