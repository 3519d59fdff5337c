import { LRUCache } from 'lru-cache'

/** What a value costs beyond its own bytes: the key, the entry and the list around it (measured on Node 26). */
const ENTRY_OVERHEAD_BYTES = 400

interface Sized<V> {
  value: V
  bytes: number
}

/**
 * A least-recently-used cache that many merchants share: capped in bytes as a whole, each owner's entries in an LRU of its own.
 * When it is full, an owner that holds more than an equal share gives way first, so one merchant's sweep cannot empty the others'.
 */
export interface FairCache<V> {
  get(owner: string, key: string): V | undefined
  set(owner: string, key: string, value: V, bytes: number): void
  delete(owner: string, key: string): void
  clear(owner?: string): void
  readonly bytes: number
  readonly entries: number
}

export function createFairCache<V>(capBytes: number): FairCache<V> {
  const maxBytes = Math.floor(capBytes)
  const owners = new Map<string, LRUCache<string, Sized<V>>>()
  let bytes = 0

  const cacheOf = (owner: string) => {
    let cache = owners.get(owner)
    if (!cache) {
      cache = new LRUCache<string, Sized<V>>({
        maxSize: maxBytes,
        sizeCalculation: (entry) => entry.bytes,
        dispose: (entry) => {
          bytes -= entry.bytes
        },
      })
      owners.set(owner, cache)
    }
    return cache
  }

  const largest = () => {
    let most: LRUCache<string, Sized<V>> | undefined
    for (const cache of owners.values()) if (!most || cache.calculatedSize > most.calculatedSize) most = cache
    return most
  }

  function makeRoom(own: LRUCache<string, Sized<V>>): void {
    const share = maxBytes / owners.size
    while (bytes > maxBytes) {
      const giving = own.calculatedSize > share ? own : largest()
      if (!giving || giving.size === 0) return
      giving.pop()
    }
  }

  return {
    get: (owner, key) => owners.get(owner)?.get(key)?.value,
    set(owner, key, value, size) {
      const entry = { value, bytes: size + key.length * 2 + ENTRY_OVERHEAD_BYTES }
      // Too large to keep, and what it replaces is no longer true.
      if (entry.bytes > maxBytes / 4) return void owners.get(owner)?.delete(key)
      const cache = cacheOf(owner)
      bytes += entry.bytes
      cache.set(key, entry)
      if (bytes > maxBytes) makeRoom(cache)
    },
    delete: (owner, key) => void owners.get(owner)?.delete(key),
    clear(owner) {
      for (const [name, cache] of owners) if (owner === undefined || owner === name) cache.clear()
    },
    get bytes() {
      return bytes
    },
    get entries() {
      let count = 0
      for (const cache of owners.values()) count += cache.size
      return count
    },
  }
}
