import type { ProductQuery } from '../../../src/ports/inventory.ts'
import { escapeLike } from '../client/odoo-values.ts'
import { findCategory, type LookupTables } from './category-tag-and-unit-tables.ts'
import { splitWords } from './search-words.ts'

const WORD_FIELDS = ['default_code', 'name', 'barcode', 'description_sale', 'product_template_variant_value_ids.name']

/** Returns the conditions of a query, or `null` when nothing can match because a category or tag is unknown. */
export function toSearchDomain(query: Partial<ProductQuery>, tables: LookupTables): unknown[] | null {
  const domain: unknown[] = splitWords(query.q).flatMap(toWordDomain)
  if (query.skus !== undefined) domain.push(['default_code', 'in', query.skus])
  if (query.category !== undefined) {
    const node = findCategory(tables, query.category)
    if (node === undefined) return null
    domain.push([tables.categoryField, 'child_of', [node.id]])
  }
  if (query.tag !== undefined) {
    const node = tables.tags.values().find(({ tag }) => tag === query.tag)
    if (node === undefined) return null
    domain.push(['all_product_tag_ids', 'in', [node.id]])
  }
  return domain
}

/**
 * Returns the domain of records that may contain a word. Odoo compares accents unless its database has the extension
 * `unaccent`, so each letter outside of ASCII, and each that may have an accent, stands for any character.
 */
function toWordDomain(word: string): unknown[] {
  const pattern = escapeLike(word).replace(/[aceginosuyz]|[^\x20-\x7e]/gi, '_')
  const conditions = WORD_FIELDS.map((field) => [field, 'ilike', pattern])
  return [...Array(conditions.length - 1).fill('|'), ...conditions]
}
