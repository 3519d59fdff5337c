import type { Columns } from '../columns/product-columns.ts'
import { intersect, toMembership } from '../id-set.ts'

/** Products that are in all of some sets, and in any of others. The sets are in ascending order. */
export interface IdsInSets {
  all: readonly Uint32Array[]
  any: readonly Uint32Array[]
}

/** The maximum number of the best-ranked products that are tested one by one. */
const MAX_TESTED = 10_000

/** Returns the ids of all active products: the highest ranks first; of equal ranks, the newest. A counting sort. */
export function sortByRank({ size, active, rank }: Columns): Uint32Array {
  let highest = 0
  for (let id = 0; id < size; id++) if (active[id] === 1 && rank[id]! > highest) highest = rank[id]!
  const starts = new Uint32Array(highest + 2)
  for (let id = 0; id < size; id++) if (active[id] === 1) starts[highest - rank[id]! + 1]! += 1
  for (let at = 1; at < starts.length; at++) starts[at]! += starts[at - 1]!
  const sorted = new Uint32Array(starts.at(-1)!)
  for (let id = size - 1; id >= 0; id--) if (active[id] === 1) sorted[starts[highest - rank[id]!]!++] = id
  return sorted
}

/**
 * Returns the best-ranked products of the first group, then of the next ones, each product once. Where many match, the first of all products
 * by rank are tested; where few do, intersecting the sets is fast.
 */
export function findBestRanked(
  groups: readonly IdsInSets[],
  columns: Columns,
  byRank: Uint32Array,
  limit: number,
): number[] {
  if (groups.length === 0) return []
  const tests = groups.map(({ all, any }) => ({ all: all.map(toMembership), any: any.map(toMembership) }))
  const groupOf = (id: number) =>
    tests.findIndex(({ all, any }) => all.every((has) => has(id)) && any.some((has) => has(id)))
  const found = groups.map((): number[] => [])
  const tested = Math.min(byRank.length, MAX_TESTED)
  for (let at = 0; at < tested && found[0]!.length < limit; at++) {
    const id = byRank[at]!
    if (columns.active[id] === 1) found[groupOf(id)]?.push(id)
  }
  const best = new Set<number>()
  for (const [index, group] of groups.entries()) {
    const isComplete = tested === byRank.length || found[index]!.length >= limit
    const ids = isComplete ? found[index]! : pickBest(toIdLists(group), columns, limit)
    for (const id of ids) best.add(id)
    if (best.size >= limit) break
  }
  return [...best].slice(0, limit)
}

function toIdLists({ all, any }: IdsInSets): Uint32Array[] {
  const ofAll = all.length === 0 ? null : intersect(all)
  return any.map((ids) => (ofAll ? intersect([ofAll, ids]) : ids))
}

/** Returns the ids of the highest ranks, each once; of equal ranks, the newest. */
export function pickBest(lists: Iterable<ArrayLike<number>>, { active, rank }: Columns, limit: number): number[] {
  const best: number[] = []
  const isBetter = (one: number, other: number | undefined) =>
    other === undefined || rank[one]! > rank[other]! || (rank[one] === rank[other] && one > other)
  for (const ids of lists)
    for (let index = ids.length - 1; index >= 0; index--) {
      const id = ids[index]!
      if (best.length === limit && !(limit > 0 && isBetter(id, best.at(-1)))) continue
      if (active[id] !== 1 || best.includes(id)) continue
      const worse = best.findIndex((other) => isBetter(id, other))
      best.splice(worse === -1 ? best.length : worse, 0, id)
      best.length = Math.min(best.length, limit)
    }
  return best
}
