import { toCustomerKey } from '../../commands/command-context.ts'
import { BackInStockRequestList, BackInStockResponse } from '../../contract/catalog/back-in-stock.ts'
import { createNotFound, Problem, UpstreamError } from '../../errors.ts'
import { type ApiRequest, defineRoute, jsonResponse } from '../../http/route.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { required, valueSection } from '../../sections/section.ts'
import {
  addBackInStockRequest,
  deleteBackInStockRequest,
  listBackInStockRequests,
} from '../../storage/shoppers/back-in-stock-requests.ts'
import type { LoadResult } from '../../upstream/read-stack/cached-loader.ts'
import type { LiveItem } from '../../upstream/readers/item-cache.ts'
import { toCustomerCommandContext } from '../to-command-context.ts'
import { isValidSku, SkuParams } from '../valid-upstream-ids.ts'

const DAY_MS = 86_400_000
const VALID_FOR_MS = 90 * DAY_MS

const routeDefaults = {
  tag: 'Customer',
  scope: 'storefront:customer',
  needsShopper: true,
  caching: 'none',
} as const

export const requestBackInStockRoute = defineRoute({
  ...routeDefaults,
  method: 'POST',
  path: '/v1/products/:sku/back-in-stock',
  operationId: 'requestBackInStock',
  summary: 'Request an event and an email when a product is in stock again; a second call renews the request',
  input: { params: SkuParams },
  response: BackInStockResponse,
  status: 201,
  alternatives: { 200: BackInStockResponse },
  problems: ['not_found', 'product_in_stock', 'back_in_stock_limit'],
  sections: { required: ['product', 'band'], optional: [] },
  async handle(request) {
    const { params, commerce } = request
    // Before the stock is read, so that any later read of the change feed can fulfil the request.
    const now = commerce.now()
    const { errors, traces } = await assertOutOfStock(request, params.sku)
    const wanted = {
      sku: params.sku,
      created_at: new Date(now).toISOString(),
      expires_at: new Date(now + VALID_FOR_MS).toISOString(),
    }
    const added = await addBackInStockRequest(commerce.db, customerOf(request), wanted)
    if (!added) throw new Problem('back_in_stock_limit')
    return { ...jsonResponse({ ...added.request, errors }, added.isNew ? 201 : 200), errors, traces }
  },
})

export const deleteBackInStockRoute = defineRoute({
  ...routeDefaults,
  method: 'DELETE',
  path: '/v1/products/:sku/back-in-stock',
  operationId: 'deleteBackInStock',
  summary: 'Delete a back-in-stock request',
  input: { params: SkuParams },
  response: null,
  problems: ['not_found'],
  readsStoreOnly: true,
  async handle(request) {
    const { params, commerce } = request
    const isDeleted = await deleteBackInStockRequest(commerce.db, customerOf(request), params.sku)
    if (!isDeleted) throw createNotFound('request for this product')
    return jsonResponse({}, 204)
  },
})

export const listBackInStockRoute = defineRoute({
  ...routeDefaults,
  method: 'GET',
  path: '/v1/me/back-in-stock',
  operationId: 'listBackInStock',
  summary: 'List the products that the shopper waits for',
  input: {},
  response: BackInStockRequestList,
  readsStoreOnly: true,
  async handle(request) {
    const { db, now } = request.commerce
    const data = await listBackInStockRequests(db, customerOf(request), new Date(now()).toISOString())
    return jsonResponse({ data })
  },
})

const customerOf = (request: ApiRequest) => toCustomerKey(toCustomerCommandContext(request))

/**
 * Throws for an unknown product, and for one that can be bought from stock now. Calls the inventory: a cached band may be older than what
 * the change feed has read since, and then the request would never be fulfilled.
 */
async function assertOutOfStock(request: ApiRequest, sku: string) {
  if (!isValidSku(sku)) throw createNotFound('product')
  const item = readItemNow(request, sku)
  const { values, errors, traces } = await fanOut(request.requestScope, {
    product: required(item.then(({ value, ...read }) => valueSection({ ...read, value: value?.product ?? null }))),
    band: required(item.then(({ value, ...read }) => valueSection({ ...read, value: value?.banded ?? null }))),
  })
  if (!values.product?.active) throw createNotFound('product')
  const band = values.band?.band
  if (band === 'IN_STOCK' || band === 'LOW') throw new Problem('product_in_stock')
  return { errors, traces }
}

async function readItemNow(
  { backOffice, requestScope, commerce }: ApiRequest,
  sku: string,
): Promise<LoadResult<LiveItem>> {
  const read = { asOf: commerce.now(), system: 'inventory' } as const
  try {
    const items = await backOffice.itemsNow([sku], { requestScope, priority: 'catalog' })
    return { ...read, value: items.get(sku) ?? null, error: null }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return { ...read, value: null, error }
  }
}
