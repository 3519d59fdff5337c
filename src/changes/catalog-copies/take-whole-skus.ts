/** Groups rows by their SKU, in their order. Of a full page, the last SKU is left out because it may continue, unless it is the only one. */
export function takeWholeSkus<R extends { sku: string }>(
  rows: readonly R[],
  limit: number,
): [sku: string, rows: R[]][] {
  const groups = [...Map.groupBy(rows, ({ sku }) => sku)]
  return rows.length === limit && groups.length > 1 ? groups.slice(0, -1) : groups
}
