import type { ChangedProductJson } from '../../catalog/mirror/read/changed-product-reader.ts'
import type { ApiResponse } from '../../http/route.ts'
import { type ChangeRequest, describePage, hasFilter, rememberNextPage, toChangeRange } from './change-page.ts'
import { CHANGE_SECTIONS, hasTexts, joinListItems, traceMirrored } from './join-product-json.ts'

/**
 * Joins a page of changes for an anonymous caller from the mirror's texts, with the same bytes as from its sections. `null`: its sections must
 * be read, because the mirror lacks some of them, or has them only in an old state.
 */
export async function joinChangesJson(request: ChangeRequest, since: string): Promise<ApiResponse | null> {
  const { query, backOffice, merchant, requestScope } = request
  if (!hasTexts(request) || hasFilter(query)) return null
  const startedAt = performance.now()
  const range = toChangeRange(request, since)
  const page = backOffice.mirror.changeTexts(range, requestScope)
  if (!page) return null
  if (range.isContinuous) rememberNextPage(request, since, page)
  const items = page.products.map((changed) => joinChange(changed, merchant.currency)).join()
  const state = { count: page.products.length, asOf: page.asOf }
  const members = { ...(await describePage(request, since, range, page, state)), errors: [] }
  return {
    body: `{"data":[${items}],${JSON.stringify(members).slice(1)}`,
    errors: [],
    traces: traceMirrored(CHANGE_SECTIONS, startedAt),
  }
}

/** Returns the JSON of a product as a sync shows it. */
const joinChange = ({ sku, product, updated_at }: ChangedProductJson, currency: string): string =>
  product
    ? joinListItems([product], currency)
    : `{"sku":${JSON.stringify(sku)},"active":false,"updated_at":${updated_at}}`
