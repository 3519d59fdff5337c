const MAX_KEYS = 10_000

/** Returns a function that says whether it was called with a key lately: among the last `max` other keys, and perhaps as many before. */
export function createRecentKeys(max = MAX_KEYS): (key: string) => boolean {
  let recent = new Set<string>()
  let older = new Set<string>()
  return (key) => {
    if (recent.has(key)) return true
    const wasOlder = older.has(key)
    recent.add(key)
    if (recent.size > max) {
      older = recent
      recent = new Set()
    }
    return wasOlder
  }
}
