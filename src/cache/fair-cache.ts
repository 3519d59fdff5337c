import { LRUCache } from 'lru-cache'

/** Memory of an entry beyond its value: key, entry and list (measured on Node 26). */
const ENTRY_OVERHEAD_BYTES = 400

interface Sized<V> {
  value: V
  bytes: number
}

/**
 * A least-recently-used cache that all tenants share. It is limited in bytes as a whole, and each tenant's entries have an LRU of their own.
 * When the cache is full, a tenant with more than an equal share loses entries first, so that one tenant cannot evict all others.
 */
export interface FairCache<V> {
  get(tenantKey: string, key: string): V | undefined
  set(tenantKey: string, key: string, value: V, bytes: number): void
  delete(tenantKey: string, key: string): void
  clear(tenantKey?: string): void
  readonly bytes: number
  readonly entries: number
}

export function createFairCache<V>(capBytes: number): FairCache<V> {
  const maxBytes = Math.floor(capBytes)
  const caches = new Map<string, LRUCache<string, Sized<V>>>()
  let bytes = 0

  const cacheOf = (tenantKey: string) => {
    let cache = caches.get(tenantKey)
    if (!cache) {
      cache = new LRUCache<string, Sized<V>>({
        maxSize: maxBytes,
        sizeCalculation: (entry) => entry.bytes,
        dispose: (entry) => {
          bytes -= entry.bytes
        },
      })
      caches.set(tenantKey, cache)
    }
    return cache
  }

  const largest = () => {
    let most: LRUCache<string, Sized<V>> | undefined
    for (const cache of caches.values()) if (!most || cache.calculatedSize > most.calculatedSize) most = cache
    return most
  }

  function makeRoom(own: LRUCache<string, Sized<V>>): void {
    const share = maxBytes / caches.size
    while (bytes > maxBytes) {
      const giving = own.calculatedSize > share ? own : largest()
      if (!giving || giving.size === 0) return
      giving.pop()
    }
  }

  return {
    get: (tenantKey, key) => caches.get(tenantKey)?.get(key)?.value,
    set(tenantKey, key, value, size) {
      const entry = { value, bytes: size + key.length * 2 + ENTRY_OVERHEAD_BYTES }
      // Too large to cache; the value it replaces is out of date.
      if (entry.bytes > maxBytes / 4) return void caches.get(tenantKey)?.delete(key)
      const cache = cacheOf(tenantKey)
      bytes += entry.bytes
      cache.set(key, entry)
      if (bytes > maxBytes) makeRoom(cache)
    },
    delete: (tenantKey, key) => void caches.get(tenantKey)?.delete(key),
    clear(tenantKey) {
      for (const [key, cache] of caches) if (tenantKey === undefined || tenantKey === key) cache.clear()
    },
    get bytes() {
      return bytes
    },
    get entries() {
      let count = 0
      for (const cache of caches.values()) count += cache.size
      return count
    },
  }
}
