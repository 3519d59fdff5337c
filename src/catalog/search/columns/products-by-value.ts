/** The products that have each value of a column. */
export interface ProductsByValue {
  /** Returns the number of products that have a value. */
  count(value: number): number
  /** Returns the ids of the products that have a value, in ascending order. */
  idsOf(value: number): Uint32Array
}

/** Groups ids, which are in ascending order, by their values in a column. `values`: the number of distinct values. */
export function groupByValue(column: Uint32Array, ids: Uint32Array, values: number): ProductsByValue {
  const starts = new Uint32Array(values + 1)
  for (let at = 0; at < ids.length; at++) starts[column[ids[at]!]! + 1]! += 1
  for (let value = 0; value < values; value++) starts[value + 1]! += starts[value]!
  const next = starts.slice()
  const grouped = new Uint32Array(ids.length)
  for (let at = 0; at < ids.length; at++) grouped[next[column[ids[at]!]!]!++] = ids[at]!
  return {
    count: (value) => starts[value + 1]! - starts[value]!,
    // A copy: a result that is cached must not keep the whole array in memory.
    idsOf: (value) => grouped.slice(starts[value]!, starts[value + 1]!),
  }
}
