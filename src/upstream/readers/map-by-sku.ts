export function mapBySku<T extends { sku: string }>(rows: readonly T[]): Map<string, T> {
  return new Map(rows.map((row) => [row.sku, row]))
}
