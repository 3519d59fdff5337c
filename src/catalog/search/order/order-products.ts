import type { DatabaseSync } from 'node:sqlite'
import type { Columns } from '../columns/product-columns.ts'
import type { TextMatch } from '../match/match-text.ts'
import type { SearchSort } from '../search-request.ts'
import { prepareOrderByName } from './order-by-name.ts'
import { orderByRelevance } from './order-by-relevance.ts'
import { sortPage } from './sort-page.ts'

/** Returns a page of ids in an order. `text`: what a search text matches, if there is one. */
export type ProductOrder = (
  found: { ids: Uint32Array; text: TextMatch | null },
  page: { sort: SearchSort; offset: number; limit: number },
) => number[]

export function createProductOrder(database: DatabaseSync, columns: () => Columns): ProductOrder {
  const orderByName = prepareOrderByName(database)
  return ({ ids, text }, { sort, offset, limit }) => {
    const { price, rank, size } = columns()
    const byRank = { column: rank, isDescending: true }
    if (sort === 'name') return orderByName(ids, size, offset, limit)
    if (sort === 'relevance' && text) return orderByRelevance(text, ids, byRank, offset, limit)
    if (sort === 'relevance') return sortPage(ids, byRank, offset, limit)
    return sortPage(ids, sort === 'newest' ? null : { column: price, isDescending: sort === '-price' }, offset, limit)
  }
}
