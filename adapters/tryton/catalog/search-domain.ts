import type { ProductQuery } from '../../../src/ports/inventory.ts'
import type { TrytonSettings } from '../settings.ts'
import { type CategoryTable, findCategoryNode } from './category-table.ts'

/** Each word is a join of its own in Tryton; what a shopper types has fewer, and shorter ones. */
const MAX_WORDS = 10
const MAX_WORD = 64

export const hasSkuDomain = [
  ['code', '!=', null],
  ['code', '!=', ''],
]
/** What a storefront sells. Tryton itself refuses two active products of one code, so here each SKU occurs once. */
export const onSaleDomain = [
  ...hasSkuDomain,
  ['active', '=', true],
  ['template.active', '=', true],
  ['salable', '=', true],
]

/** What a query asks beyond that, or `null` when nothing can match: an unknown category or tag. */
export function toSearchDomain(query: ProductQuery, table: CategoryTable, settings: TrytonSettings): unknown[] | null {
  const filters: unknown[] = words(query.q).map((word) => holds(word, settings))
  if (query.skus !== undefined) filters.push(['code', 'in', query.skus])
  if (query.category !== undefined) {
    const node = findCategoryNode(table.categories, query.category)
    if (node === undefined) return null
    filters.push(['categories', 'child_of', [node.id], 'parent'])
  }
  if (query.tag !== undefined) {
    const node = table.tags?.values().find((tag) => tag.slug === query.tag)
    if (node === undefined) return null
    filters.push(['categories', 'in', [node.id]])
  }
  return filters
}

/**
 * `rec_name` looks into code, identifiers (barcodes) and name. Tryton itself looks past the accents of what it keeps where its database has
 * the extension `unaccent`; without it an accented word is looked for as it is and without.
 */
function holds(word: string, settings: TrytonSettings): unknown[] {
  const patterns = [...new Set([word, word.normalize('NFD').replace(/\p{M}/gu, '')])].map(
    (one) => `%${one.replace(/[\\%_]/g, '\\$&')}%`,
  )
  const attributes = [settings.brand_attribute, settings.mpn_attribute].filter((name) => name !== undefined)
  const fields = ['rec_name', 'code', 'description', ...attributes.map((name) => `attributes.${name}`)]
  return ['OR', ...fields.flatMap((field) => patterns.map((pattern) => [[field, 'ilike', pattern]]))]
}

function words(q = ''): string[] {
  const all = q.trim().split(/\s+/).filter(Boolean)
  // By code points: half a character would be none to PostgreSQL.
  return all.slice(0, MAX_WORDS).map((word) => [...word].slice(0, MAX_WORD).join(''))
}
