import { listSkusWithoutStockRead } from '../../storage/catalog/active-products.ts'
import { listMissingProducts } from '../../storage/catalog/missing-products.ts'
import { listDueResources, listLeastRecentlyChecked } from '../../storage/changes/resource-states.ts'
import type { ChangeJob, ChangeJobContext } from '../feed/change-job.ts'
import type { SkuReconciler } from './sku-reconciler.ts'

/** SKUs in one run. */
const NAME = 'reconciliation'
const SLICE = 200
const INTERVAL_MS = 60_000

/**
 * Creates the job that compares all known SKUs with inventory, the longest unchecked first. It finds what the change feed cannot report:
 * deleted products, changes without a change time, and delivery dates that pass.
 */
export function createReconciliationJob(context: ChangeJobContext, reconcileSkus: SkuReconciler): ChangeJob {
  const { db, now, tenant, backOffice, parts } = context
  /** Some active products have no band yet. */
  let hasUnread = false
  const instant = () => new Date(now()).toISOString()

  async function selectSkus(today: string): Promise<string[]> {
    const due = await listDueResources(db, tenant, 'stock', today, SLICE / 2)
    const unread = parts.hasFeed('stock') ? [] : await listSkusWithoutStockRead(db, tenant, SLICE / 2)
    const missing = context.hasMirror ? await listMissingProducts(db, tenant, SLICE / 2) : []
    const oldest = await listLeastRecentlyChecked(db, tenant, 'product', SLICE)
    return [...new Set([...missing, ...due.map(({ id }) => id), ...unread, ...oldest])].slice(0, SLICE)
  }

  async function run(): Promise<void> {
    const startedAt = instant()
    try {
      await reconcileSkus(await selectSkus(backOffice.today()))
    } catch (error) {
      if (!parts.hasFeed('stock')) await parts.fail('stock', NAME, error)
      throw error
    }
    if (parts.hasFeed('stock') || !context.hasMirror || !context.canContinue()) return
    hasUnread = (await listSkusWithoutStockRead(db, tenant, 1)).length > 0
    const isFilled = !hasUnread && (await parts.isFilled('products'))
    await parts.succeed('stock', NAME, { asOf: startedAt, isFilled })
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
