import pLimit from 'p-limit'
import { UpstreamError } from '../../errors.ts'
import type { InventoryItem } from '../../ports/inventory.ts'
import {
  clearResourceDueDates,
  listMostRecentlyChecked,
  readResourceStates,
} from '../../storage/changes/resource-states.ts'
import { transactInBackground } from '../../storage/transact-in-background.ts'
import type { ChangeJobContext } from '../feed/change-job.ts'
import type { ChangeReadContext } from '../feed/change-source.ts'
import { invalidateSkus } from '../feed/invalidate-skus.ts'
import type { ProductState } from '../products/product-state.ts'
import { applyInventoryItems } from './apply-inventory-items.ts'
import { createMassDeletionCheck } from './mass-deletion-check.ts'

/** SKUs in one transaction. */
const CHUNK = 50
const RECENT = 200
const MAX_CONTROL_SKUS = 5

/** Compares SKUs with the inventory, and writes the differences. Calls wait for each other: each counts what the ones before it have found missing. */
export type SkuReconciler = (skus: readonly string[]) => Promise<void>

const countNewlyMissing = (skus: readonly string[], known: ReadonlyMap<string, { state: ProductState | null }>) =>
  skus.filter((sku) => known.get(sku)?.state?.active && !known.get(sku)?.state?.missingSince).length

export function createSkuReconciler(context: ChangeJobContext): SkuReconciler {
  const { db, now, tenant, backOffice } = context
  const deletions = createMassDeletionCheck(context)
  const oneAtATime = pLimit(1)
  const instant = () => new Date(now()).toISOString()

  async function readItems(skus: readonly string[]): Promise<Map<string, InventoryItem>> {
    const items = await backOffice.changes.items(skus, context.requestScope())
    return new Map(items.map((item) => [item.sku, item]))
  }

  /**
   * Reads the SKUs that would count as deleted once more, without others: an adapter leaves out rows that it cannot read, and fails only
   * if it can read none. Returns the SKUs whose state is uncertain.
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
      const gone = suspects.filter((sku) => !items.get(sku)?.product)
      if (!context.hasMirror || gone.length === 0) return new Set()
      const isAllowed = await deletions.allows(countNewlyMissing(missing, known))
      return new Set(isAllowed ? [] : gone)
    } catch (error) {
      if (error instanceof UpstreamError && error.failure === 'invalid') return new Set(suspects)
      throw error
    }
  }

  /** Returns whether inventory has also lost products that it had a moment ago, as it does while it is being restored. */
  async function isCatalogMissing(suspects: readonly string[]): Promise<boolean> {
    const recent = (await listMostRecentlyChecked(db, tenant, 'product', RECENT)).filter(
      (sku) => !suspects.includes(sku),
    )
    const known = await readResourceStates<ProductState>(db, tenant, 'product', recent)
    const controlSkus = recent.filter((sku) => known.get(sku)?.state?.active).slice(0, MAX_CONTROL_SKUS)
    if (controlSkus.length === 0) return suspects.length > MAX_CONTROL_SKUS
    return [...(await readItems(controlSkus)).values()].every(({ product }) => !product)
  }

  async function reconcile(skus: readonly string[]): Promise<void> {
    const today = backOffice.today()
    if (skus.length === 0 || !context.canContinue()) return
    const calledAt = instant()
    const items = await readItems(skus)
    const uncertain = await findUncertain(skus, items)
    for (let from = 0; from < skus.length; from += CHUNK) {
      if (!context.canContinue()) return
      const chunk = skus.slice(from, from + CHUNK)
      const at = instant()
      const reading: ChangeReadContext = { context, calledAt, at, isBaseline: false, feedBeganAt: at }
      const skusToInvalidate = await transactInBackground(db, tenant, async (transaction) => {
        const compared = await applyInventoryItems(transaction, chunk, { items, uncertain }, reading)
        await clearResourceDueDates(transaction, tenant, 'stock', chunk, today)
        return compared
      })
      invalidateSkus(context, skusToInvalidate)
    }
  }
  return (skus) => oneAtATime(() => reconcile(skus))
}
