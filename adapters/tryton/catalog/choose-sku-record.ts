import type { TrytonBoolean } from '../client/tryton-values.ts'

/** Returns the record that represents a SKU with several: the active one, then the oldest. */
export function chooseSkuRecord<Row extends { id: number; active: TrytonBoolean }>(rows: readonly Row[]): Row {
  return rows.reduce((best, row) =>
    row.active === best.active ? (row.id < best.id ? row : best) : row.active ? row : best,
  )
}
