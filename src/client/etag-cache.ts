export interface EtagCacheLimits {
  entries: number
  /** The limit for all bodies together, which take two bytes for each character. */
  bytes: number
}

export interface CachedBody {
  etag: string
  text: string
}

/** Bodies to revalidate. The least recently used ones are dropped. */
export interface EtagCache {
  get(key: string): CachedBody | undefined
  set(key: string, body: CachedBody): void
}

const sizeOf = (key: string, { etag, text }: CachedBody) => 2 * (key.length + etag.length + text.length)

export function createEtagCache({ entries, bytes }: EtagCacheLimits): EtagCache {
  /** In the order of their last use, the oldest first. */
  const kept = new Map<string, CachedBody>()
  let total = 0

  function drop(key: string): void {
    const body = kept.get(key)
    if (body && kept.delete(key)) total -= sizeOf(key, body)
  }

  return {
    get(key) {
      const body = kept.get(key)
      if (body && kept.delete(key)) kept.set(key, body)
      return body
    },
    set(key, body) {
      drop(key)
      const size = sizeOf(key, body)
      if (size > bytes) return
      kept.set(key, body)
      total += size
      for (const oldest of kept.keys()) {
        if (kept.size <= entries && total <= bytes) break
        drop(oldest)
      }
    },
  }
}
