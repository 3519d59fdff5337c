import { freshnessPolicies, toCacheTimes } from '../../src/cache/freshness-policy.ts'
import { identityRepresentation } from '../../src/cache/representation.ts'
import type { CachedResponse } from '../../src/cache/response-cache.ts'

/** Returns a complete response of the catalog with this body, as the cache holds it. */
export const createCachedResponse = (text: string, storedAt = 0, tags: string[] = [], version = 0): CachedResponse => ({
  route: 'r',
  ...toCacheTimes(freshnessPolicies.catalog, storedAt, Number.POSITIVE_INFINITY),
  cacheControl: 'private, max-age=0',
  complete: true,
  plain: identityRepresentation(text),
  tags,
  version,
  compressed: {},
  refresh: async () => {},
  isRefreshing: false,
})
