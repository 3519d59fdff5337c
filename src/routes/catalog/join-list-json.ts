import { toPagination } from '../../contract/pagination.ts'
import type { ApiRequest, ApiResponse } from '../../http/route.ts'
import { isTextLoading, reportLoadingList } from './catalog-loading-error.ts'
import { readSearchMembers } from './facets-and-correction.ts'
import { findsNothing, toSearchRequest } from './find-products.ts'
import { hasTexts, joinListItems, LIST_SECTIONS, traceMirrored } from './join-product-json.ts'
import type { ListQuery } from './list-parameters.ts'

type ListRequest = Pick<ApiRequest, 'backOffice' | 'customerId' | 'merchant' | 'requestScope'> & { query: ListQuery }

/**
 * Joins a list for an anonymous caller from the mirror's texts, with the same bytes as from its sections. `null`: its sections must be read,
 * because the mirror lacks some of them, or has them only in an old state.
 */
export async function joinListJson(request: ListRequest): Promise<ApiResponse | null> {
  const { query, backOffice, merchant, requestScope } = request
  if (!hasTexts(request) || query.vehicle_id !== undefined || query.slug !== undefined || findsNothing(query))
    return null
  const startedAt = performance.now()
  const isLoading = isTextLoading(backOffice.mirror)
  const page = await backOffice.mirror.searchTexts(toSearchRequest(query, null), requestScope)
  if (!page) return null
  const gaps = isLoading ? reportLoadingList(query) : []
  const { products, total, has_more } = page
  const { body, traces, ...members } = await readSearchMembers(request, page)
  const errors = [...gaps, ...members.errors]
  const pagination = toPagination(query, products.length, total, has_more)
  const items = joinListItems(products, merchant.currency)
  return {
    body: `{"data":[${items}],${JSON.stringify({ pagination, ...body, errors }).slice(1)}`,
    errors,
    traces: [...traceMirrored(LIST_SECTIONS, startedAt), ...traces],
  }
}
