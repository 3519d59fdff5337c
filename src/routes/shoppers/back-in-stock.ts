import { toCustomerKey } from '../../commands/command-context.ts'
import { BackInStockRequestList, BackInStockResponse } from '../../contract/back-in-stock.ts'
import { createNotFound, Problem } from '../../errors.ts'
import { type ApiRequest, defineRoute, jsonResponse } from '../../http/route.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { columnSection, required } from '../../sections/section.ts'
import {
  addBackInStockRequest,
  deleteBackInStockRequest,
  listBackInStockRequests,
} from '../../storage/shoppers/back-in-stock-requests.ts'
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
  summary: 'Wait for a product: an event and an email when it is in stock again. A second call renews the request',
  input: { params: SkuParams },
  response: BackInStockResponse,
  status: 201,
  alternatives: { 200: BackInStockResponse },
  problems: ['not_found', 'product_in_stock', 'back_in_stock_limit'],
  sections: { required: ['product', 'band'], optional: [] },
  async handle(request) {
    const { params, commerce } = request
    const { errors, traces } = await assertOutOfStock(request, params.sku)
    const now = commerce.now()
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
  summary: 'Stop waiting for a product',
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

/** Throws for an unknown product, and for one that can be bought from stock now. */
async function assertOutOfStock({ backOffice, requestScope }: ApiRequest, sku: string) {
  if (!isValidSku(sku)) throw createNotFound('product')
  const { values, errors, traces } = await fanOut(requestScope, {
    product: required(backOffice.products([sku], requestScope).then(columnSection)),
    band: required(backOffice.availability([sku], requestScope).then(columnSection)),
  })
  if (!values.product[0]?.active) throw createNotFound('product')
  const band = values.band[0]?.band
  if (band === 'IN_STOCK' || band === 'LOW') throw new Problem('product_in_stock')
  return { errors, traces }
}
