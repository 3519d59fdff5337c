import type { IdentityRow } from './product-schemas.ts'

/** Returns whether the storefront sells a record. */
export const isOnSale = (row: Pick<IdentityRow, 'active' | 'sale_ok' | 'is_published'>, publishedOnly = false) =>
  row.active && row.sale_ok && !(publishedOnly && row.is_published === false)
