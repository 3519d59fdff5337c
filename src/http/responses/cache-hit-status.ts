import type { CachedResponse } from '../../cache/response-cache.ts'

/** The Cache-Status of a response that was found in the cache; a negative `ttl` is its time since it became stale. */
export const toCacheHitStatus = (cached: CachedResponse, now: number): string =>
  `forecourt; hit; ttl=${Math.ceil((cached.freshUntil - now) / 1_000)}`
