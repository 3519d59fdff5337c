import quickselect from 'quickselect'

/**
 * Returns the ids from `offset`, at most `limit`, in the order of their keys (the smallest first; equal keys: the newest id first). Only
 * the page is sorted, so a late page costs no more than the first one. Reorders `ids`.
 */
export function selectPage(ids: Uint32Array, keyOf: (id: number) => number, offset: number, limit: number): number[] {
  const end = Math.min(offset + limit, ids.length)
  if (offset >= end) return []
  // The package's types know arrays only; it reads and writes elements.
  const list = ids as unknown as number[]
  const compare = (one: number, other: number) => keyOf(one) - keyOf(other) || other - one
  if (end < ids.length) quickselect(list, end - 1, 0, ids.length - 1, compare)
  if (offset > 0) quickselect(list, offset, 0, end - 1, compare)
  return Array.from(ids.subarray(offset, end)).sort(compare)
}
