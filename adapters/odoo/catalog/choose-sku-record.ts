import type { IdentityRow } from './product-schemas.ts'

/** True for a record that the storefront sells. */
export const isOnSale = (row: Pick<IdentityRow, 'active' | 'sale_ok' | 'is_published'>, publishedOnly = false) =>
  row.active && row.sale_ok && !(publishedOnly && row.is_published === false)

/** Returns the record that represents a SKU: one on sale, then the oldest. Odoo allows a code several times. */
export function chooseRecord<Row extends Pick<IdentityRow, 'id' | 'active' | 'sale_ok'>>(rows: readonly Row[]): Row {
  return rows.reduce((best, row) => {
    if (isOnSale(row) !== isOnSale(best)) return isOnSale(row) ? row : best
    return row.id < best.id ? row : best
  })
}
