const MAX_SKUS = 10_000

/** Returns a function that says whether it was called with a SKU lately: among the last `max` other SKUs, and perhaps as many before. */
export function createRecentlyReadSkus(max = MAX_SKUS): (sku: string) => boolean {
  let recent = new Set<string>()
  let older = new Set<string>()
  return (sku) => {
    if (recent.has(sku)) return true
    const wasOlder = older.has(sku)
    recent.add(sku)
    if (recent.size > max) {
      older = recent
      recent = new Set()
    }
    return wasOlder
  }
}
