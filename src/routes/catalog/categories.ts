import { CategoryTree } from '../../contract/catalog/category-tree.ts'
import { defineRoute } from '../../http/route.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { required, valueSection } from '../../sections/section.ts'
import { categoryTreeJson } from './category-tree-json.ts'

export const getCategoriesRoute = defineRoute({
  method: 'GET',
  path: '/v1/categories',
  operationId: 'getCategories',
  summary: 'Get the category tree',
  tag: 'Catalog',
  scope: 'storefront:catalog',
  input: {},
  response: CategoryTree,
  caching: 'catalog',
  sections: { required: ['data'], optional: [] },
  async handle({ backOffice, requestScope }) {
    const { values, errors, traces } = await fanOut(requestScope, {
      data: required(backOffice.categories(requestScope).then(valueSection)),
    })
    const data = await categoryTreeJson(values.data ?? [])
    return { body: `{"data":${data},"errors":${JSON.stringify(errors)}}`, errors, traces }
  },
})
