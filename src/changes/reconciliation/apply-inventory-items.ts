import type { InventoryItem } from '../../ports/inventory.ts'
import { putCatalogParts } from '../../storage/catalog/catalog-products.ts'
import { markProductsMissing } from '../../storage/catalog/missing-products.ts'
import { lockResources, markResourcesChecked, storeResourceStates } from '../../storage/changes/resource-states.ts'
import type { Database } from '../../storage/database.ts'
import type { ChangeReadContext } from '../feed/change-source.ts'
import type { SkusToInvalidate } from '../feed/invalidate-skus.ts'
import { appendProductDeactivatedEvent } from '../products/product-and-stock-events.ts'
import { applyProductChanges } from '../products/product-changes.ts'
import type { ProductState } from '../products/product-state.ts'
import { applyStockChanges } from '../products/stock-changes.ts'

/** A SKU counts as deleted when a later read confirms that it is missing. Two reads in quick succession may show the same temporary fault. */
const CONFIRM_MISSING_MS = 5_000

/** Compares SKUs with what the inventory returned, and stores the differences. Those in `uncertain` stay as they are. */
export async function applyInventoryItems(
  transaction: Database,
  skus: readonly string[],
  { items, uncertain }: { items: ReadonlyMap<string, InventoryItem>; uncertain: ReadonlySet<string> },
  reading: ChangeReadContext,
): Promise<SkusToInvalidate> {
  const { tenant } = reading.context
  const foundItems = skus.flatMap((sku) => items.get(sku) ?? [])
  const products = foundItems.flatMap(({ product }) => product ?? [])
  const levels = foundItems.flatMap(({ sku, stock }) => (stock === undefined ? [] : { sku, stock }))
  const missing = skus.filter((sku) => !items.get(sku)?.product && !uncertain.has(sku))
  // Locks all resources in one order first, since other transactions lock the same ones.
  await lockResources(transaction, tenant, 'product', skus, reading.calledAt)
  const stocked = levels.map(({ sku }) => sku)
  await lockResources(transaction, tenant, 'stock', stocked, reading.calledAt)
  const { details, copied = 0 } = await applyProductChanges(transaction, products, reading, true)
  const deleted = await markMissing(transaction, missing, reading)
  const { others } = await applyStockChanges(transaction, levels, reading)
  const checked = [...products.map(({ sku }) => sku), ...skus.filter((sku) => uncertain.has(sku))]
  await markResourcesChecked(transaction, tenant, 'product', checked, reading.calledAt)
  return { details: [...details, ...deleted], others, copied }
}

/** Returns the SKUs that count as deleted. Until then a missing SKU keeps its check time, so the next run reads it again. */
async function markMissing(
  transaction: Database,
  skus: readonly string[],
  reading: ChangeReadContext,
): Promise<string[]> {
  const { tenant } = reading.context
  const known = await lockResources<ProductState>(transaction, tenant, 'product', skus, reading.calledAt)
  const deleted: string[] = []
  const gone: string[] = []
  for (const [sku, { state, checkedAt }] of known) {
    if (!state) continue
    const { missingSince = reading.calledAt } = state
    // The absolute difference, because a clock that is set back must not delay the deletion.
    const isDeleted = Math.abs(Date.parse(reading.calledAt) - Date.parse(missingSince)) >= CONFIRM_MISSING_MS
    const next: ProductState = { ...state, missingSince, active: state.active && !isDeleted }
    await storeResourceStates(
      transaction,
      tenant,
      'product',
      [{ id: sku, state: next }],
      isDeleted ? reading.calledAt : checkedAt,
    )
    if (isDeleted) gone.push(sku)
    if (!isDeleted || !state.active) continue
    deleted.push(sku)
    await appendProductDeactivatedEvent(transaction, reading, sku, reading.at)
  }
  if (reading.context.hasMirror) await putMissing(transaction, skus, gone, reading)
  return deleted
}

async function putMissing(
  transaction: Database,
  missing: readonly string[],
  gone: readonly string[],
  { context: { tenant }, calledAt, at }: ChangeReadContext,
): Promise<void> {
  await markProductsMissing(transaction, tenant, missing, calledAt)
  const rows = gone.map((sku) => ({ sku, active: 0 }))
  await putCatalogParts(transaction, tenant, rows, at)
}
