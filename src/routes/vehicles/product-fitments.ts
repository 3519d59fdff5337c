import { toPagination } from '../../contract/common-schemas.ts'
import { ProductFitments } from '../../contract/vehicles.ts'
import { Problem } from '../../errors.ts'
import { defineRoute } from '../../http/route.ts'
import { fanOut, required, valueSection } from '../../sections/section.ts'
import { isValidSku, SkuParams } from '../catalog/product.ts'
import { clampOffset, PageQuery } from './vehicle-products.ts'

export const listProductFitmentsRoute = defineRoute({
  method: 'GET',
  path: '/v1/products/:sku/fitments',
  operationId: 'listProductFitments',
  summary: 'The vehicles that a product fits',
  tag: 'Vehicles',
  scope: 'storefront:catalog',
  input: { params: SkuParams, query: PageQuery },
  response: ProductFitments,
  caching: 'catalog',
  sections: { required: ['product', 'data'], optional: [] },
  async answer({ params: { sku }, query, backOffice, requestScope }) {
    if (!isValidSku(sku)) throw new Problem('not_found')
    const { values, errors, traces } = await fanOut(requestScope, {
      product: required(backOffice.products([sku], requestScope).then(([filled]) => valueSection(filled!))),
      data: required(backOffice.fitments(sku, clampOffset(query), requestScope).then(valueSection)),
    })
    const found = values.data
    if (!values.product?.active || (!found && errors.length === 0)) throw new Problem('not_found')
    const data = found?.fitments ?? []
    const pagination = toPagination(query, data.length, found?.total ?? null, found?.has_more ?? false)
    return { body: { sku, universal: found?.universal ?? false, data, pagination, errors }, errors, traces }
  },
})
