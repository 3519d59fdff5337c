import { isOnSale } from './is-on-sale.ts'
import type { IdentityRow } from './product-schemas.ts'

/** Returns the record that represents a SKU: one on sale, then the oldest. Odoo allows a code several times. */
export function chooseSkuRecord<Row extends Pick<IdentityRow, 'id' | 'active' | 'sale_ok'>>(rows: readonly Row[]): Row {
  return rows.reduce((best, row) => {
    if (isOnSale(row) !== isOnSale(best)) return isOnSale(row) ? row : best
    return row.id < best.id ? row : best
  })
}
