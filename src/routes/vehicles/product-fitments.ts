import { ProductFitments } from '../../contract/catalog/product-fitments.ts'
import { toPagination } from '../../contract/pagination.ts'
import { createNotFound } from '../../errors.ts'
import { defineRoute } from '../../http/route.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { required, valueSection } from '../../sections/section.ts'
import { clampOffset, PageQuery } from '../page-query.ts'
import { isValidSku, SkuParams } from '../valid-upstream-ids.ts'

export const listProductFitmentsRoute = defineRoute({
  method: 'GET',
  path: '/v1/products/:sku/fitments',
  operationId: 'listProductFitments',
  summary: 'List the vehicles that a product fits',
  tag: 'Vehicles',
  scope: 'storefront:catalog',
  input: { params: SkuParams, query: PageQuery },
  response: ProductFitments,
  caching: 'catalog',
  sections: { required: ['product', 'data'], optional: [] },
  async handle({ params: { sku }, query, backOffice, requestScope }) {
    if (!isValidSku(sku)) throw createNotFound('product')
    const { values, errors, traces } = await fanOut(requestScope, {
      product: required(backOffice.products([sku], requestScope).then(([result]) => valueSection(result!))),
      data: required(backOffice.fitments(sku, clampOffset(query), requestScope).then(valueSection)),
    })
    const page = values.data
    if (!values.product?.active || (!page && errors.length === 0)) throw createNotFound('product')
    const data = page?.fitments ?? []
    const pagination = toPagination(query, data.length, page?.total ?? null, page?.has_more ?? false)
    return { body: { sku, universal: page?.universal ?? false, data, pagination, errors }, errors, traces }
  },
})
