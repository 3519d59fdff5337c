import { LRUCache } from 'lru-cache'
import { toMemoryBytes, unite } from '../id-set.ts'

/** Returns the ids of two lists in ascending order: the same array as before, if both lists are the same arrays as before for this key. */
export type UnitedLists = (key: string, one: Uint32Array, other: Uint32Array) => Uint32Array

/** The lists themselves are kept in memory elsewhere. Uniting them costs more than all other steps of a search. */
export function createUnitedLists(cacheBytes: number): UnitedLists {
  const known = new LRUCache<string, { one: Uint32Array; other: Uint32Array; ids: Uint32Array }>({
    maxSize: cacheBytes,
    sizeCalculation: ({ ids }, key) => toMemoryBytes(ids) + key.length * 2 + 200,
  })
  return (key, one, other) => {
    const last = known.get(key)
    if (last && last.one === one && last.other === other) return last.ids
    const ids = unite([one, other])
    known.set(key, { one, other, ids })
    return ids
  }
}
