import type { CachedResponse } from '../../cache/response-cache.ts'

/** Refreshes a stale response while it is being served, once at a time. A failure leaves the cached response as it is. */
export function refreshInBackground(cached: CachedResponse): void {
  if (cached.isRefreshing) return
  cached.isRefreshing = true
  const done = () => {
    cached.isRefreshing = false
  }
  cached.refresh().then(done, done)
}
