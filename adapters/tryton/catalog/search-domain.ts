import type { ProductQuery } from '../../../src/ports/inventory.ts'
import type { TrytonSettings } from '../settings.ts'
import { type CategoryTable, findCategoryNode } from './category-and-tag-table.ts'

/** Each word costs Tryton a join; shoppers type fewer and shorter ones. */
const MAX_WORDS = 10
const MAX_WORD_LENGTH = 64

export const hasSkuDomain = [
  ['code', '!=', null],
  ['code', '!=', ''],
]
/** The products that a storefront sells. Tryton itself refuses two active products with one code, so each SKU occurs once here. */
export const onSaleDomain = [
  ...hasSkuDomain,
  ['active', '=', true],
  ['template.active', '=', true],
  ['salable', '=', true],
]

/** Returns the conditions of a query beyond `onSaleDomain`, or `null` when nothing can match because a category or tag is unknown. */
export function toSearchDomain(query: ProductQuery, table: CategoryTable, settings: TrytonSettings): unknown[] | null {
  const filters: unknown[] = splitWords(query.q).map((word) => wordDomain(word, settings))
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
 * Returns the domain of one word. `rec_name` covers code, identifiers (barcodes) and name. Tryton ignores accents when
 * its database has the extension `unaccent`; otherwise an accented word is searched with and without its accents.
 */
function wordDomain(word: string, settings: TrytonSettings): unknown[] {
  const patterns = [...new Set([word, word.normalize('NFD').replace(/\p{M}/gu, '')])].map(
    (spelling) => `%${spelling.replace(/[\\%_]/g, '\\$&')}%`,
  )
  const attributes = [settings.brand_attribute, settings.mpn_attribute].filter((name) => name !== undefined)
  const fields = ['rec_name', 'code', 'description', ...attributes.map((name) => `attributes.${name}`)]
  return ['OR', ...fields.flatMap((field) => patterns.map((pattern) => [[field, 'ilike', pattern]]))]
}

function splitWords(q = ''): string[] {
  const words = q.trim().split(/\s+/).filter(Boolean)
  // Cut by code points: PostgreSQL rejects a lone surrogate.
  return words.slice(0, MAX_WORDS).map((word) => [...word].slice(0, MAX_WORD_LENGTH).join(''))
}
