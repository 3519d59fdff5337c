/** A clock of change times, each later than the last one and than all stored ones: every change has its own time. */
export function createMonotonicClock(now: () => Date, stored: Iterable<{ updated_at: string }>): () => string {
  let lastMs = 0
  for (const { updated_at } of stored) {
    const ms = Date.parse(updated_at)
    if (ms > lastMs) lastMs = ms
  }
  return () => {
    lastMs = Math.max(now().getTime(), lastMs + 1)
    return new Date(lastMs).toISOString()
  }
}
