import quickselect from 'quickselect'

/** Up to here, the first ids are collected in one pass over all; behind it, all are divided by the place in the order. */
const MAX_COLLECTED = 256

/**
 * Returns the ids from `offset`, at most `limit`, in the order of their keys (the smallest first; equal keys: the newest id first). Only
 * the page is sorted, so a late page costs no more than the first one. Reorders `ids`.
 */
export function selectPage(ids: Uint32Array, keyOf: (id: number) => number, offset: number, limit: number): number[] {
  const end = Math.min(offset + limit, ids.length)
  if (offset >= end) return []
  if (end <= MAX_COLLECTED) return collectFirst(ids, keyOf, end).slice(offset)
  // The package's types know arrays only; it reads and writes elements.
  const list = ids as unknown as number[]
  const compare = (one: number, other: number) => keyOf(one) - keyOf(other) || other - one
  if (end < ids.length) quickselect(list, end - 1, 0, ids.length - 1, compare)
  if (offset > 0) quickselect(list, offset, 0, end - 1, compare)
  return Array.from(ids.subarray(offset, end)).sort(compare)
}

function collectFirst(ids: Uint32Array, keyOf: (id: number) => number, count: number): number[] {
  const found: number[] = []
  const keys: number[] = []
  for (let index = ids.length - 1; index >= 0; index--) {
    const id = ids[index]!
    const key = keyOf(id)
    let place = found.length
    // Sets of several tiers are in no order of ids.
    while (place > 0 && (key < keys[place - 1]! || (key === keys[place - 1] && id > found[place - 1]!))) place -= 1
    if (place >= count) continue
    found.splice(place, 0, id)
    keys.splice(place, 0, key)
    if (found.length > count) found.length = keys.length = count
  }
  return found
}
