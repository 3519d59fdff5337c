import type { StockAvailability } from '../../catalog/availability-bands.ts'
import type { Stock, StockChange } from '../../ports/inventory.ts'
import { putCatalogParts } from '../../storage/catalog/catalog-products.ts'
import {
  lockResources,
  type NewResourceState,
  readResourceStates,
  storeResourceStates,
} from '../../storage/changes/resource-states.ts'
import type { Database } from '../../storage/database.ts'
import type { ChangeJobContext } from '../feed/change-job.ts'
import type { ChangeReadContext, ChangeSource } from '../feed/change-source.ts'
import type { SkusToInvalidate } from '../feed/invalidate-skus.ts'
import { isSupersededRead } from '../feed/is-outdated-change.ts'
import { appendStockChangedEvent } from './product-and-stock-events.ts'
import type { ProductState, StockState } from './product-state.ts'

/** SKUs whose availability band changed. */
export const createStockSource = ({ backOffice }: ChangeJobContext): ChangeSource<StockChange> => ({
  name: 'stock',
  system: 'inventory',
  idOf: ({ sku }) => sku,
  read: (query, requestScope) => backOffice.changes.stock(query, requestScope),
  apply: applyStockChanges,
})

/** Converts stock levels to bands, and stores and reports only these. `stock: null`: the inventory has no stock of the SKU. The first band of a SKU causes no event, nor does an inactive product. */
export async function applyStockChanges(
  transaction: Database,
  levels: readonly { sku: string; stock: Stock | null }[],
  reading: ChangeReadContext,
): Promise<SkusToInvalidate> {
  const { tenant, backOffice } = reading.context
  const skus = levels.map(({ sku }) => sku)
  const bands: { sku: string; band: StockAvailability | null }[] = []
  const known = await lockResources<StockState>(transaction, tenant, 'stock', skus, reading.calledAt)
  const products = await readResourceStates<ProductState>(transaction, tenant, 'product', skus)
  const states: NewResourceState[] = []
  for (const { sku, stock } of levels) {
    const before = known.get(sku)!
    if (before.state && isSupersededRead(before, reading)) continue
    if (!stock) {
      bands.push({ sku, band: null })
      continue
    }
    const found: StockState = backOffice.changes.band(stock, before.state)
    bands.push({ sku, band: found })
    if (before.state && isSameStock(before.state, found)) continue
    states.push({ id: sku, state: found, dueOn: found.eta })
    if (!before.state || before.state.band === found.band || !products.get(sku)?.state?.active) continue
    await appendStockChangedEvent(transaction, reading, sku, found, before.state)
  }
  await storeResourceStates(transaction, tenant, 'stock', states, reading.calledAt)
  if (reading.context.hasMirror) await putBands(transaction, bands, reading)
  return { details: [], others: reading.isBaseline ? [] : states.map(({ id }) => id) }
}

const isSameStock = (a: StockState, b: StockState) =>
  a.band === b.band &&
  a.eta === b.eta &&
  a.orderable === b.orderable &&
  JSON.stringify(a.branches) === JSON.stringify(b.branches)

async function putBands(
  transaction: Database,
  bands: readonly { sku: string; band: StockAvailability | null }[],
  { context: { tenant, parts }, calledAt, at }: ChangeReadContext,
): Promise<void> {
  const stock_as_of = parts.hasFeed('stock') ? null : calledAt
  const rows = bands.map(({ sku, band }) => ({ sku, availability: JSON.stringify(band), stock_as_of }))
  await putCatalogParts(transaction, tenant, rows, at)
}
