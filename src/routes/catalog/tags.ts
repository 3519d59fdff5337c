import { TagFacets } from '../../contract/taxonomy.ts'
import { fanOut, one, required } from '../../sections/section.ts'
import { route } from '../../http/route.ts'

export const tags = route({
  method: 'GET',
  path: '/v1/tags',
  operationId: 'getTags',
  summary: 'The tags in use',
  tag: 'Catalog',
  scope: 'storefront:catalog',
  input: {},
  response: TagFacets,
  caching: 'catalog',
  sections: { required: ['data'], optional: [] },
  async answer({ office, asking }) {
    const { values, errors, traces } = await fanOut(asking, { data: required(office.tags(asking).then(one)) })
    const data = (values.data ?? []).map(({ tag, name, count }) => ({ tag, name, count }))
    return { body: { data, errors }, errors, traces }
  },
})
