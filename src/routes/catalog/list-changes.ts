import { summarizeAvailability } from '../../catalog/availability-bands.ts'
import type { ChangedProduct } from '../../catalog/mirror/file/mirror-row.ts'
import type { ProductListItem } from '../../contract/catalog/product.ts'
import type { ApiResponse } from '../../http/route.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { required, valueSection } from '../../sections/section.ts'
import type { SectionError } from '../../sections/section-errors.ts'
import { catalogLoading } from './catalog-loading-error.ts'
import { type ChangeRequest, describePage, hasFilter, rememberNextPage, toChangeRange } from './change-page.ts'
import { findsNothing, toSearchRequest } from './find-products.ts'
import { createListRowsReader } from './product-list-reader.ts'
import { toInactiveProduct } from './to-inactive-product.ts'
import { toPriceInfo } from './to-price-info.ts'

/** Lists what has changed in the mirror, in the order of its own sequence, whatever the clocks of the systems say. Throws 503 if its file cannot be read. */
export async function listChanges(request: ChangeRequest, since: string): Promise<ApiResponse> {
  const { requestScope, backOffice } = request
  const range = toChangeRange(request, since)
  const page = valueSection(backOffice.mirror.changes(range, requestScope))
  if (page.value === null && backOffice.mirror.state !== 'ready') throw catalogLoading()
  const found = await fanOut(requestScope, { data: required(Promise.resolve(page)) })
  const changes = page.value!
  if (range.isContinuous) rememberNextPage(request, since, changes)
  const { listed, errors: notOffered } = await filterChanges(changes.products, request)
  const rows = await createListRowsReader(request).readSections(listed.map(({ product }) => product))
  const isMissing = new Set(rows.errors.map(({ field }) => field))
  const data = listed.map((changed) =>
    changed.product.active
      ? withOwnParts(rows.itemOf(changed.product), changed, request, isMissing)
      : toInactiveProduct(changed.product),
  )
  const errors = [...found.errors, ...notOffered, ...rows.errors]
  const { pagination, sync } = await describePage(request, since, range, changes, {
    count: data.length,
    isUnknown: notOffered.length > 0,
    asOf: changes.asOf || page.asOf,
    isStale: page.error !== null,
  })
  return { body: { data, pagination, sync, errors }, errors, traces: [...found.traces, ...rows.traces] }
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
