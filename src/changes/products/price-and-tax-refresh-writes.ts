import { putCatalogParts } from '../../storage/catalog/catalog-products.ts'
import { takeCatalogSequences } from '../../storage/catalog/catalog-sequences.ts'
import {
  listRefreshRows,
  type RefreshedColumn,
  type RefreshRow,
  setReadTime,
} from '../../storage/catalog/price-and-tax-refresh-queries.ts'
import type { Database } from '../../storage/database.ts'
import type { ChangeJobContext } from '../feed/change-job.ts'
import { isSupersededRead } from '../feed/is-outdated-change.ts'

/** Prices or taxes as a system returned them. SKUs that are missing from `values` have none. */
export interface ColumnRead {
  column: RefreshedColumn
  skus: readonly string[]
  values: readonly { sku: string }[]
  /** RFC 3339: the time of the call. */
  calledAt: string
}

/**
 * Writes list prices or taxes, unless a later read is in the store. `selected`: the rows as they were before the call. A product that has
 * changed since then is read again.
 */
export async function writeColumnRead(
  transaction: Database,
  { tenant, parts }: Pick<ChangeJobContext, 'tenant' | 'parts'>,
  { column, skus, values, calledAt }: ColumnRead,
  selected?: readonly RefreshRow[],
): Promise<void> {
  // Takes the lock of the catalog: what is compared here must not change until it is written.
  await takeCatalogSequences(transaction, tenant, 0, calledAt)
  const rows = await listRefreshRows(transaction, tenant, column, skus)
  const before = selected && new Map(selected.map((row) => [row.sku, row]))
  const current = rows.filter((row) =>
    before
      ? row.readAt === before.get(row.sku)?.readAt
      : !isSupersededRead({ checkedAt: row.readAt ?? '' }, { calledAt }),
  )
  const isSettled = (row: RefreshRow) => (before ? row.sequence === before.get(row.sku)?.sequence : row.readAt !== null)
  const settled = current.filter(isSettled).map(({ sku }) => sku)
  await setReadTime(transaction, tenant, column, settled, calledAt)
  const found = new Map(values.map((value) => [value.sku, value]))
  const written = current.map(({ sku, value }) => ({ sku, value: toJson(found.get(sku) ?? null, value) }))
  const asOf = { price_as_of: parts.hasFeed('prices') ? null : calledAt }
  await putCatalogParts(
    transaction,
    tenant,
    written.map(({ sku, value }) => (column === 'price' ? { sku, price: value, ...asOf } : { sku, tax: value })),
    calledAt,
  )
}

/** Returns JSON. A value that differs in nothing but its time keeps the earlier one, so that it counts as unchanged. */
function toJson(value: object | null, before: string | null): string {
  if (value === null || before === null || before === 'null') return JSON.stringify(value)
  const known = JSON.parse(before) as { as_of?: string }
  if (!('as_of' in value)) return JSON.stringify(value)
  return JSON.stringify({ ...known, as_of: null }) === JSON.stringify({ ...value, as_of: null })
    ? before
    : JSON.stringify(value)
}
