/** Returns an array with a 1 at the index of each id. */
export function toIdMap(ids: Uint32Array, size: number): Uint8Array {
  const map = new Uint8Array(size)
  for (let at = 0; at < ids.length; at++) map[ids[at]!] = 1
  return map
}

/** Returns the ids that all sets contain. The sets are in ascending order. The result may be one of the sets. */
export function intersect(sets: readonly Uint32Array[]): Uint32Array {
  const sorted = [...sets].sort((one, other) => one.length - other.length)
  const [smallest = new Uint32Array(), ...others] = sorted
  return others.length > 0 && isDense(smallest) ? intersectBitmaps(sorted) : others.reduce(intersectTwo, smallest)
}

/** Costs less than testing each id of the smallest set, because that set has more ids than the bitmaps have numbers. */
function intersectBitmaps(sets: readonly Uint32Array[]): Uint32Array {
  const [smallest, ...others] = sets.map(bitmapOf)
  const length = others.reduce((shortest, bits) => Math.min(shortest, bits.length), smallest!.length)
  const common = smallest!.slice(0, length)
  for (const bits of others) for (let at = 0; at < length; at++) common[at]! &= bits[at]!
  return listBits(common, sets[0]!.length)
}

function listBits(numbers: Uint32Array, maxCount: number): Uint32Array {
  const ids = new Uint32Array(maxCount)
  let count = 0
  for (let at = 0; at < numbers.length; at++)
    for (let bits = numbers[at]!; bits !== 0; bits &= bits - 1) ids[count++] = at * 32 + 31 - Math.clz32(bits & -bits)
  return ids.subarray(0, count)
}

function intersectTwo(smaller: Uint32Array, larger: Uint32Array): Uint32Array {
  if (smaller === larger || smaller.length === 0) return smaller
  return isDense(larger) ? testBits(smaller, bitmapOf(larger)) : search(smaller, larger)
}

/** The bitmaps of sets that are kept in memory, such as the products of common words. None takes more memory than its set. */
const bitmaps = new WeakMap<Uint32Array, Uint32Array>()

function bitmapOf(ids: Uint32Array): Uint32Array {
  const known = bitmaps.get(ids)
  if (known) return known
  const bits = new Uint32Array((ids.at(-1)! >>> 5) + 1)
  for (let at = 0; at < ids.length; at++) bits[ids[at]! >>> 5]! |= 1 << (ids[at]! & 31)
  bitmaps.set(ids, bits)
  return bits
}

/** Returns the bytes of a set that is kept in memory, and of its bitmap, which is never larger. */
export const toMemoryBytes = (ids: Uint32Array): number =>
  ids.byteLength + Math.min(ids.byteLength, Math.ceil((ids.at(-1) ?? 0) / 8))

const hasBit = (bits: Uint32Array, id: number): boolean => ((bits[id >>> 5]! >>> (id & 31)) & 1) === 1

function testBits(ids: Uint32Array, bits: Uint32Array): Uint32Array {
  const common = new Uint32Array(ids.length)
  let count = 0
  for (let at = 0; at < ids.length; at++) if (hasBit(bits, ids[at]!)) common[count++] = ids[at]!
  return common.subarray(0, count)
}

/** A set that takes less memory as a bitmap. */
const isDense = (ids: Uint32Array): boolean => ids.length * 32 > ids.at(-1)!

/** Returns a test whether a set in ascending order has an id. */
export function toMembership(ids: Uint32Array): (id: number) => boolean {
  if (ids.length === 0) return () => false
  if (!isDense(ids)) return (id) => contains(ids, id)
  const bits = bitmapOf(ids)
  return (id) => hasBit(bits, id)
}

/** Finds each id of the smaller set in the larger one by a galloping search: the steps double, then a binary search follows. */
function search(smaller: Uint32Array, larger: Uint32Array): Uint32Array {
  const common = new Uint32Array(smaller.length)
  let count = 0
  let at = 0
  for (let index = 0; index < smaller.length && at < larger.length; index++) {
    const id = smaller[index]!
    let step = 1
    let low = at
    while (at < larger.length && larger[at]! < id) {
      low = at + 1
      at += step
      step *= 2
    }
    let high = Math.min(at, larger.length)
    while (low < high) {
      const middle = (low + high) >>> 1
      if (larger[middle]! < id) low = middle + 1
      else high = middle
    }
    at = low
    if (larger[at] === id) common[count++] = id
  }
  return common.subarray(0, count)
}

/** Returns true if a set in ascending order has an id. A binary search. */
export function contains(ids: Uint32Array, id: number): boolean {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ids[middle]! < id) low = middle + 1
    else high = middle
  }
  return ids[low] === id
}

/** Sorting up to this many ids costs less than an array element for each product of the catalog. */
const MAX_SORTED = 2_000
/** Up to this share of the ids, merging two sets costs less than that array. */
const MAX_MERGED = 1 / 4
/** From this share of a set on, merging another costs less than finding each of its ids. */
const MIN_MERGED = 1 / 8

/** Up to this share of the ids, looking each up in a set costs less than that array. */
const MAX_LOOKED_UP = 1 / 32

/** Returns each id once, in ascending order. Changes the array. */
export function sortUnique(ids: Uint32Array): Uint32Array {
  ids.sort()
  let count = 0
  for (let at = 0; at < ids.length; at++) if (at === 0 || ids[at] !== ids[at - 1]) ids[count++] = ids[at]!
  return ids.subarray(0, count)
}

/** Returns each id once, in ascending order. The result may be one of the sets. */
export function unite(sets: readonly Uint32Array[]): Uint32Array {
  const filled = sets.filter(({ length }) => length > 0).sort((one, other) => other.length - one.length)
  const [largest = new Uint32Array(), ...others] = filled
  if (others.length === 1 && isWorthMerging(largest, others[0]!)) return mergeTwo(largest, others[0]!)
  const last = filled.reduce((max, ids) => Math.max(max, ids.at(-1)!), 0)
  const count = others.reduce((sum, ids) => sum + ids.length, 0)
  // Small sets are often part of the largest one.
  const isPart = (ids: Uint32Array) => ids.length <= MAX_SORTED && count <= last * MAX_LOOKED_UP
  const missing = others.map((ids) => (isPart(ids) ? ids.filter((id) => !contains(largest, id)) : ids))
  const length = missing.reduce((sum, ids) => sum + ids.length, largest.length)
  if (length === largest.length) return largest
  if (length <= MAX_SORTED) return sortUnique(concatenate([largest, ...missing], length))
  const map = toIdMap(largest, last + 1)
  for (const ids of missing) for (let at = 0; at < ids.length; at++) map[ids[at]!] = 1
  return listIds(map)
}

const isWorthMerging = (larger: Uint32Array, smaller: Uint32Array): boolean =>
  smaller.length > larger.length * MIN_MERGED && larger.length + smaller.length < larger.at(-1)! * MAX_MERGED

function mergeTwo(one: Uint32Array, other: Uint32Array): Uint32Array {
  const ids = new Uint32Array(one.length + other.length)
  let [count, at, next] = [0, 0, 0]
  while (at < one.length && next < other.length) {
    const id = Math.min(one[at]!, other[next]!)
    if (one[at] === id) at += 1
    if (other[next] === id) next += 1
    ids[count++] = id
  }
  const rest = at < one.length ? one.subarray(at) : other.subarray(next)
  ids.set(rest, count)
  return ids.subarray(0, count + rest.length)
}

function concatenate(sets: readonly Uint32Array[], length: number): Uint32Array {
  const ids = new Uint32Array(length)
  let at = 0
  for (const set of sets) {
    ids.set(set, at)
    at += set.length
  }
  return ids
}

/** Returns the ids of a map whose element has a value. Id 0 is no product. */
export function listIds(map: Uint8Array, value = 1): Uint32Array {
  let count = 0
  for (let id = 1; id < map.length; id++) if (map[id] === value) count += 1
  const ids = new Uint32Array(count)
  let at = 0
  for (let id = 1; at < count; id++) if (map[id] === value) ids[at++] = id
  return ids
}

/** Returns the ids of a set that are not in the other. Both are in ascending order. */
export function subtract(ids: Uint32Array, others: Uint32Array): Uint32Array {
  let at = 0
  return ids.filter((id) => {
    while (at < others.length && others[at]! < id) at += 1
    return others[at] !== id
  })
}
