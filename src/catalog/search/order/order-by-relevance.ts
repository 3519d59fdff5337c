import { intersect, subtract } from '../id-set.ts'
import type { TextMatch } from '../match/match-text.ts'
import { type ColumnOrder, sortPage } from './sort-page.ts'

/** Returns a page of the matches of a text: the first tiers first, each by rank. `ids`: the matches that pass all filters. */
export function orderByRelevance(
  { tiers, ids: matches }: TextMatch,
  ids: Uint32Array,
  rank: ColumnOrder,
  offset: number,
  limit: number,
): number[] {
  const page: number[] = []
  const before: Uint32Array[] = []
  let skipped = 0
  for (const tier of tiers) {
    if (page.length >= limit) break
    const passing = ids === matches || tier.length === 0 ? tier : intersect([tier, ids])
    const fresh = before.reduce(subtract, passing)
    page.push(...sortPage(fresh, rank, Math.max(0, offset - skipped), limit - page.length))
    skipped += fresh.length
    if (passing.length > 0) before.push(passing)
  }
  return page
}
