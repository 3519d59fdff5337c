import quickselect from 'quickselect'

/** An order of products: by a column; equal ones by their ids, the newest first. */
export interface ColumnOrder {
  column: Float64Array | Uint32Array
  /** NaN is always last. */
  isDescending: boolean
}

/** Pages that end here or earlier are collected in one pass over all ids. For later pages, the ids are partitioned by their place in the order. */
const MAX_COLLECTED = 256

/**
 * Returns the ids from `offset`, at most `limit`, in an order; `null`: the newest first. Only the page is sorted, so a late page costs no
 * more than the first one. `ids` are in ascending order.
 */
export function sortPage(ids: Uint32Array, order: ColumnOrder | null, offset: number, limit: number): number[] {
  const end = Math.min(offset + limit, ids.length)
  if (offset >= end) return []
  if (!order) return Array.from(ids.subarray(ids.length - end, ids.length - offset)).reverse()
  if (end <= MAX_COLLECTED) return collectFirst(ids, order, end).slice(offset)
  // The package's types know arrays only; it reads and writes elements.
  const copy = ids.slice()
  const list = copy as unknown as number[]
  const compare = (one: number, other: number) => keyOf(order, one) - keyOf(order, other) || other - one
  if (end < copy.length) quickselect(list, end - 1, 0, copy.length - 1, compare)
  if (offset > 0) quickselect(list, offset, 0, end - 1, compare)
  return Array.from(copy.subarray(offset, end)).sort(compare)
}

/** The smallest comes first. */
function keyOf({ column, isDescending }: ColumnOrder, id: number): number {
  const value = column[id]!
  if (Number.isNaN(value)) return Number.MAX_VALUE
  return isDescending ? -value : value
}

function collectFirst(ids: Uint32Array, order: ColumnOrder, count: number): number[] {
  const { column, isDescending } = order
  const found: number[] = []
  const keys: number[] = []
  // The value of the last one on a full page. Ids fall, so an equal one comes after it.
  let last = isDescending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  for (let at = skipLater(ids, order, last, ids.length - 1); at >= 0; at = skipLater(ids, order, last, at - 1)) {
    const id = ids[at]!
    const key = keyOf(order, id)
    let index = found.length
    while (index > 0 && key < keys[index - 1]!) index -= 1
    if (index === count) continue
    found.splice(index, 0, id)
    keys.splice(index, 0, key)
    if (found.length > count) found.length = keys.length = count
    if (found.length === count) last = column[found[count - 1]!]!
  }
  return found
}

/** Returns the index of the next id, downwards from `at`, that comes before a value; -1: none. A separate loop is three times as fast. */
function skipLater(ids: Uint32Array, { column, isDescending }: ColumnOrder, last: number, at: number): number {
  let next = at
  if (isDescending) while (next >= 0 && column[ids[next]!]! <= last) next -= 1
  else while (next >= 0 && column[ids[next]!]! >= last) next -= 1
  return next
}
