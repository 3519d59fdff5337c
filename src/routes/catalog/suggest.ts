import Type from 'typebox'
import { SuggestionList } from '../../contract/catalog/suggestion-list.ts'
import { defineRoute } from '../../http/route.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { required, valueSection } from '../../sections/section.ts'
import { assertMirror } from './assert-mirror.ts'
import { isTextLoading, reportLoading } from './catalog-loading-error.ts'

const NO_SUGGESTIONS = { products: [], categories: [], brands: [], vehicles: [] }

export const suggestRoute = defineRoute({
  method: 'GET',
  path: '/v1/suggest',
  operationId: 'suggest',
  summary: 'Suggest products, categories, brands and vehicles while a shopper types',
  tag: 'Catalog',
  scope: 'storefront:catalog',
  input: {
    query: Type.Object({
      q: Type.String({ maxLength: 256, description: 'The text so far; its last word may be incomplete' }),
      limit: Type.Integer({
        minimum: 1,
        maximum: 20,
        default: 8,
        description: 'The maximum number of products; the other kinds have fewer',
      }),
    }),
  },
  response: SuggestionList,
  caching: 'catalog',
  sections: { required: ['suggestions'], optional: [] },
  async handle({ query: { q, limit }, backOffice: { mirror }, requestScope }) {
    assertMirror(mirror.state, 'q', q)
    if (q.trim() === '') return { body: { ...NO_SUGGESTIONS, errors: [] }, errors: [], traces: [] }
    const isLoading = isTextLoading(mirror)
    const {
      values,
      errors: failures,
      traces,
    } = await fanOut(requestScope, {
      suggestions: required(mirror.suggest({ text: q, limit, isLoading }, requestScope).then(valueSection)),
    })
    const { products, categories, brands, vehicles } = values.suggestions ?? NO_SUGGESTIONS
    const suggestions = { products, categories, brands, vehicles }
    const unfound = isLoading && values.suggestions ? reportLoading('suggestions') : []
    const errors = failures.length > 0 ? failures : unfound
    return { body: { ...suggestions, errors }, errors, traces }
  },
})
