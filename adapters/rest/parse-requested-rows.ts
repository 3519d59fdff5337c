import type { ResponseSchema } from '../../src/ports/http-client.ts'
import { parseRows } from '../parse-rows.ts'

/** A system may return a few rows with one key. The first valid row counts. */
const MAX_ROWS_PER_KEY = 4

/**
 * Leaves out the rows that were not requested. Validating a row takes far longer than looking at its key: a system that returns
 * its whole table would block every other request. A row without a key stays, as an invalid one.
 */
export function cutToRequested(rows: readonly unknown[], member: string, requested: readonly string[]): unknown[] {
  const roomByKey = new Map(requested.map((key) => [key, MAX_ROWS_PER_KEY]))
  let invalidRoom = MAX_ROWS_PER_KEY * roomByKey.size
  return rows.filter((row) => {
    const key = (row as Record<string, unknown> | null)?.[member]
    if (typeof key !== 'string') return invalidRoom-- > 0
    const room = roomByKey.get(key) ?? 0
    if (room > 0) roomByKey.set(key, room - 1)
    return room > 0
  })
}

/** Parses one row for each requested SKU, in the order of the request. Of several rows the first valid one counts. */
export function parseRowsBySku<Row, T extends { sku: string }>(
  skus: readonly string[],
  rows: readonly unknown[],
  schema: ResponseSchema<Row>,
  map: (row: Row) => T,
): T[] {
  const bySku = new Map<string, T>()
  for (const row of parseRows(cutToRequested(rows, 'sku', skus), schema, map))
    if (!bySku.has(row.sku)) bySku.set(row.sku, row)
  return [...new Set(skus)].flatMap((sku) => bySku.get(sku) ?? [])
}
