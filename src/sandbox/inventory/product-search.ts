import type { CatalogEntry } from './catalog-store.ts'
import { foldText } from './fold-text.ts'

export interface ProductFilter {
  q?: string
  category?: string
  tag?: string
  updated_since?: string
  /** Left out: any vehicle. */
  fits?: (entry: CatalogEntry) => boolean
}

/**
 * The entries that match every condition. Without `updated_since`: active ones by SKU, an exact SKU or barcode first.
 * With it: whatever changed at or after that moment, deactivated or not, by (updated_at, sku).
 */
export function filterProducts(entries: readonly CatalogEntry[], wanted: ProductFilter): CatalogEntry[] {
  const { q, category, tag, updated_since, fits } = wanted
  const words = foldText(q ?? '')
    .split(/\s+/)
    .filter(Boolean)
  const sinceMs = updated_since === undefined ? undefined : Date.parse(updated_since)
  const found = entries.filter(
    (entry) =>
      (sinceMs === undefined ? entry.product.active : entry.changedMs >= sinceMs) &&
      (category === undefined || entry.categories.has(category)) &&
      (tag === undefined || entry.product.tags.includes(tag)) &&
      (!fits || fits(entry)) &&
      words.every((word) => entry.text.includes(word)),
  )
  if (sinceMs !== undefined)
    return found.sort((a, b) => a.changedMs - b.changedMs || (a.product.sku < b.product.sku ? -1 : 1))
  if (words.length === 0) return found
  const whole = foldText(q!).trim()
  const exact = found.filter(({ product }) => foldText(product.sku) === whole || product.barcode === whole)
  return exact.length === 0 ? found : [...exact, ...found.filter((entry) => !exact.includes(entry))]
}

/** One page of what was found. */
export function paginate<T>(found: readonly T[], limit = 50, offset = 0) {
  return { rows: found.slice(offset, offset + limit), total: found.length, has_more: offset + limit < found.length }
}
