import { UpstreamError } from '../errors.ts'
import type { InventoryItem } from '../ports/inventory.ts'
import { listUnstockedSkus } from '../storage/catalog/active-products.ts'
import { putCatalogParts } from '../storage/catalog/catalog-products.ts'
import { markProductsMissing } from '../storage/catalog/missing-products.ts'
import {
  clearResourceDueDates,
  listDueResources,
  listLeastRecentlyChecked,
  listMostRecentlyChecked,
  lockResources,
  markResourcesChecked,
  readResourceStates,
  storeResourceStates,
} from '../storage/changes/resource-states.ts'
import type { Database } from '../storage/database.ts'
import { transact } from '../storage/transact.ts'
import {
  type ChangeReadContext,
  type FeedContext,
  type FeedJob,
  invalidateStaleSkus,
  type StaleSkus,
} from './change-source.ts'
import { appendProductDeactivatedEvent, type ProductState } from './product-and-stock-events.ts'
import { applyProductChanges } from './product-changes.ts'
import { applyStockChanges } from './stock-changes.ts'

/** SKUs in one run, and in one transaction. */
const NAME = 'reconciliation'
const SLICE = 200
const CHUNK = 50
const INTERVAL_MS = 60_000
/** A SKU counts as deleted when a later read confirms that it is missing. Two reads in quick succession may show the same temporary fault. */
const CONFIRM_MISSING_MS = 5_000
const MAX_CONTROL_SKUS = 5

/**
 * Creates the job that compares all known SKUs with inventory, the longest unchecked first. It finds what the change feed cannot report:
 * deleted products, changes without a change time, and delivery dates that pass.
 */
export function createReconciliationJob(context: FeedContext): FeedJob {
  const { db, now, tenant, backOffice, parts } = context
  /** Some active products have no band yet. */
  let hasUnread = false
  const instant = () => new Date(now()).toISOString()

  async function selectSkus(today: string): Promise<string[]> {
    const due = await listDueResources(db, tenant, 'stock', today, SLICE / 2)
    const unread = parts.hasFeed('stock') ? [] : await listUnstockedSkus(db, tenant, SLICE / 2)
    const oldest = await listLeastRecentlyChecked(db, tenant, 'product', SLICE)
    return [...new Set([...due.map(({ id }) => id), ...unread, ...oldest])].slice(0, SLICE)
  }

  async function readItems(skus: readonly string[]): Promise<Map<string, InventoryItem>> {
    const items = await backOffice.changes.items(skus, context.requestScope())
    return new Map(items.map((item) => [item.sku, item]))
  }

  /**
   * Reads SKUs that would count as deleted again, on their own: an adapter leaves out rows that it cannot read, and fails if it can read
   * none. Returns the SKUs whose state is uncertain.
   */
  async function findUncertain(
    skus: readonly string[],
    items: Map<string, InventoryItem>,
  ): Promise<ReadonlySet<string>> {
    const missing = skus.filter((sku) => !items.get(sku)?.product)
    const known = await readResourceStates<ProductState>(db, tenant, 'product', missing)
    const suspects = missing.filter((sku) => known.get(sku)?.state?.active && known.get(sku)?.state?.missingSince)
    if (suspects.length === 0) return new Set()
    try {
      if (await isCatalogMissing(suspects)) return new Set(suspects)
      for (const [sku, item] of await readItems(suspects)) items.set(sku, item)
      return new Set()
    } catch (error) {
      if (error instanceof UpstreamError && error.failure === 'invalid') return new Set(suspects)
      throw error
    }
  }

  /** Returns whether inventory has also lost products that it had a moment ago, as it does while it is being restored. */
  async function isCatalogMissing(suspects: readonly string[]): Promise<boolean> {
    const recent = (await listMostRecentlyChecked(db, tenant, 'product', SLICE)).filter(
      (sku) => !suspects.includes(sku),
    )
    const known = await readResourceStates<ProductState>(db, tenant, 'product', recent)
    const controlSkus = recent.filter((sku) => known.get(sku)?.state?.active).slice(0, MAX_CONTROL_SKUS)
    if (controlSkus.length === 0) return suspects.length > MAX_CONTROL_SKUS
    return [...(await readItems(controlSkus)).values()].every(({ product }) => !product)
  }

  async function run(): Promise<void> {
    const startedAt = instant()
    try {
      await reconcile()
    } catch (error) {
      if (!parts.hasFeed('stock')) await parts.fail('stock', NAME, error)
      throw error
    }
    if (parts.hasFeed('stock') || !context.hasMirror || !context.canContinue()) return
    hasUnread = (await listUnstockedSkus(db, tenant, 1)).length > 0
    const isFilled = !hasUnread && (await parts.isFilled('products'))
    await parts.succeed('stock', NAME, { asOf: startedAt, isFilled })
  }

  async function reconcile(): Promise<void> {
    const today = backOffice.today()
    const skus = await selectSkus(today)
    if (skus.length === 0) return
    const calledAt = instant()
    const items = await readItems(skus)
    const uncertain = await findUncertain(skus, items)
    for (let from = 0; from < skus.length; from += CHUNK) {
      if (!context.canContinue()) return
      const chunk = skus.slice(from, from + CHUNK)
      const at = instant()
      const reading: ChangeReadContext = { context, calledAt, at, isBaseline: false, feedBeganAt: at }
      const staleSkus = await transact(db, async (transaction) => {
        const compared = await compareItems(transaction, chunk, { items, uncertain }, reading)
        await clearResourceDueDates(transaction, tenant, 'stock', chunk, today)
        return compared
      })
      invalidateStaleSkus(context, staleSkus)
    }
  }

  // Without stock changes in the feed, reconciliation runs at the feed's own interval.
  return {
    name: NAME,
    system: 'inventory',
    run,
    hasWork: () => hasUnread,
    get intervalMs() {
      return parts.hasFeed('stock') ? INTERVAL_MS : undefined
    },
  }
}

async function compareItems(
  transaction: Database,
  skus: readonly string[],
  { items, uncertain }: { items: ReadonlyMap<string, InventoryItem>; uncertain: ReadonlySet<string> },
  reading: ChangeReadContext,
): Promise<StaleSkus> {
  const { tenant } = reading.context
  const foundItems = skus.flatMap((sku) => items.get(sku) ?? [])
  const products = foundItems.flatMap(({ product }) => product ?? [])
  const levels = foundItems.flatMap(({ sku, stock }) => (stock === undefined ? [] : { sku, stock }))
  const missing = skus.filter((sku) => !items.get(sku)?.product && !uncertain.has(sku))
  // Locks all resources in one order first, since other transactions lock the same ones.
  await lockResources(transaction, tenant, 'product', skus, reading.calledAt)
  const stocked = levels.flatMap(({ sku, stock }) => (stock ? sku : []))
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
