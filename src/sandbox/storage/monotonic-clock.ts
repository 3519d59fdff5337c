/** The clock's moments, each later than every one before and than those that are kept: no two changes of a system look like one. */
export function createMonotonicClock(now: () => Date, kept: Iterable<{ updated_at: string }>): () => string {
  let last = 0
  for (const { updated_at } of kept) {
    const ms = Date.parse(updated_at)
    if (ms > last) last = ms
  }
  return () => {
    last = Math.max(now().getTime(), last + 1)
    return new Date(last).toISOString()
  }
}
