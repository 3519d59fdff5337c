import { TagFacets } from '../../contract/catalog/tag-facets.ts'
import { defineRoute } from '../../http/route.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { required, valueSection } from '../../sections/section.ts'

export const getTagsRoute = defineRoute({
  method: 'GET',
  path: '/v1/tags',
  operationId: 'getTags',
  summary: 'List the tags in use',
  tag: 'Catalog',
  scope: 'storefront:catalog',
  input: {},
  response: TagFacets,
  caching: 'catalog',
  sections: { required: ['data'], optional: [] },
  async handle({ backOffice, requestScope }) {
    const { values, errors, traces } = await fanOut(requestScope, {
      data: required(backOffice.tags(requestScope).then(valueSection)),
    })
    const data = (values.data ?? []).map(({ tag, name, count }) => ({ tag, name, count }))
    return { body: { data, errors }, errors, traces }
  },
})
