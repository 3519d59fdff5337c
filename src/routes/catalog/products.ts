import Type from 'typebox'
import { ProductListOrChanges } from '../../contract/catalog/product.ts'
import { toPagination } from '../../contract/pagination.ts'
import { type ApiRequest, type ApiResponse, defineRoute } from '../../http/route.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { required, valueSection } from '../../sections/section.ts'
import { PageQuery } from '../page-query.ts'
import { isTextLoading, reportLoadingList } from './catalog-loading-error.ts'
import { readSearchMembers } from './facets-and-correction.ts'
import { findProducts, UNREAD_PAGE } from './find-products.ts'
import { joinChangesJson } from './join-changes-json.ts'
import { joinListJson } from './join-list-json.ts'
import { listChanges } from './list-changes.ts'
import { assertListQuery, listFilters, updatedSince } from './list-parameters.ts'
import { createListRowsReader } from './product-list-reader.ts'
import { readFitmentsForVehicle } from './read-fitments-for-vehicle.ts'
import { hintAtFutureSince, isInFuture, toSystemSince, toWatermark } from './sync-watermark.ts'
import { toInactiveProduct } from './to-inactive-product.ts'
import { withUnknownFilterHint } from './unknown-filter-hint.ts'

const input = {
  query: Type.Object({
    ...listFilters,
    vehicle_id: Type.Optional(
      Type.Integer({ description: 'The list then has the vehicle, and each item its fitment' }),
    ),
    updated_since: updatedSince,
    ...PageQuery.properties,
  }),
}

export const listProductsRoute = defineRoute({
  method: 'GET',
  path: '/v1/products',
  operationId: 'listProducts',
  summary: 'List products',
  tag: 'Catalog',
  scope: 'storefront:catalog',
  input,
  response: ProductListOrChanges,
  caching: 'catalog',
  sections: { required: ['data'], optional: ['facets', 'fitment', 'price', 'tax', 'availability', 'media'] },
  hint: ({ query, commerce }) => hintAtFutureSince(query.updated_since, commerce.now()),
  async handle(request) {
    const { query, backOffice } = request
    assertListQuery(query, backOffice.mirror)
    const { updated_since: since } = query
    if (since === undefined) {
      const response = (await joinListJson(request)) ?? (await listProducts(request))
      return withUnknownFilterHint(response, request)
    }
    if (backOffice.mirror.state === 'ready')
      return (await joinChangesJson(request, since)) ?? listChanges(request, since)
    return listProducts({ ...request, query: { ...query, updated_since: toSystemSince(since) } })
  },
})

async function listProducts(request: ApiRequest<typeof input>): Promise<ApiResponse> {
  const { query, backOffice, requestScope, commerce } = request
  const { updated_since: since, vehicle_id: vehicleId } = query
  const isSync = since !== undefined
  const list = createListRowsReader(request)
  const isLoading = isTextLoading(backOffice.mirror)
  // Withdrawn products have no price. Without them, prices are loaded as soon as the search returns SKUs.
  const search = findProducts(request, isSync ? undefined : list.prefetchPrices)
  const found = await fanOut(requestScope, { data: required(search.then(valueSection)) })
  const page = found.values.data ?? UNREAD_PAGE
  const unfound = isLoading && found.values.data ? reportLoadingList(query) : []
  if (!isSync) list.prefetch(page.skus)
  const [rows, members, fitments] = await Promise.all([
    list.readSkus(page.skus, isSync),
    readSearchMembers(request, page),
    readFitmentsForVehicle({ vehicleId, skus: page.skus, backOffice, requestScope }),
  ])
  const data = rows.products.map((product) =>
    product.active ? { ...rows.itemOf(product), ...fitments.memberOf(product.sku) } : toInactiveProduct(product),
  )
  const gaps = found.errors.length > 0 ? found.errors : rows.gaps
  const errors = [...(gaps.length > 0 ? gaps : unfound), ...members.errors, ...fitments.errors, ...rows.errors]
  const newest = gaps.length > 0 ? 0 : page.newest
  // A client that stored a time in the future would see no change until then.
  const isTooLate = isSync && page.skus.length === 0 && gaps.length === 0 && isInFuture(since, commerce.now())
  const from = isTooLate ? new Date(commerce.now()).toISOString() : since
  const watermark = from !== undefined && toWatermark(newest, from, backOffice.watermarkOverlapSeconds)
  return {
    body: {
      data,
      pagination: toPagination(query, data.length, page.total, page.has_more),
      ...members.body,
      ...(!isSync && fitments.vehicle),
      ...(isSync && { sync: { watermark, as_of: null, lag_seconds: null } }),
      errors,
    },
    errors,
    traces: [found, members, fitments, rows].flatMap(({ traces }) => traces),
  }
}
