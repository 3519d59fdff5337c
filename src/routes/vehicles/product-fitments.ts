import { paginationOf } from '../../contract/common-schemas.ts'
import { ProductFitments } from '../../contract/vehicles.ts'
import { Problem } from '../../errors.ts'
import { fanOut, one, required } from '../../sections/section.ts'
import { mayBeSku, SkuParams } from '../catalog/product.ts'
import { route } from '../../http/route.ts'
import { PageQuery, reachable } from './vehicle-products.ts'

export const productFitments = route({
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
  async answer({ params: { sku }, query, office, asking }) {
    if (!mayBeSku(sku)) throw new Problem('not_found')
    const { values, errors, traces } = await fanOut(asking, {
      product: required(office.products([sku], asking).then(([filled]) => one(filled!))),
      data: required(office.fitments(sku, reachable(query), asking).then(one)),
    })
    const found = values.data
    if (!values.product?.active || (!found && errors.length === 0)) throw new Problem('not_found')
    const data = found?.fitments ?? []
    const pagination = paginationOf(query, data.length, found?.total ?? null, found?.has_more ?? false)
    return { body: { sku, universal: found?.universal ?? false, data, pagination, errors }, errors, traces }
  },
})
