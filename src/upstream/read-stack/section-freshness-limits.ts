import type { Freshness } from './value-cache.ts'

const seconds = (fresh: number, stale: number, lastGood: number): Freshness => ({
  freshMs: fresh * 1_000,
  staleMs: stale * 1_000,
  lastGoodMs: lastGood * 1_000,
})

/** How long the values of each kind are served. */
export const sectionFreshnessLimits = {
  product: seconds(60, 300, 86_400),
  stock: seconds(10, 20, 3_600),
  price: seconds(30, 60, 3_600),
  tax: seconds(300, 600, 86_400),
  query: seconds(30, 120, 86_400),
  /** An import invalidates them at once, so pages never wait for a store that is down. */
  references: seconds(60, 86_400, 86_400),
} as const
