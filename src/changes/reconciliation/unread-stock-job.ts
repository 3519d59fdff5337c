import { listSkusWithoutStockRead } from '../../storage/catalog/active-products.ts'
import type { ChangeJob, ChangeJobContext } from '../feed/change-job.ts'
import type { SkuReconciler } from './sku-reconciler.ts'

const SLICE = 200
const INTERVAL_MS = 60_000

/**
 * Creates the job that reads the stock of new products which the stock feed has not reported. Most have no stock. Once that is known, requests
 * no longer ask the inventory about them.
 */
export function createUnreadStockJob({ db, tenant, parts }: ChangeJobContext, reconcileSkus: SkuReconciler): ChangeJob {
  let seenChanges = -1
  /** The last SKU that was read; '': all were. */
  let after = ''

  async function run(): Promise<void> {
    seenChanges = parts.productChanges
    // Reconciliation reads them where stock has no change feed.
    if (!parts.hasFeed('stock') || !(await parts.isFilled('stock'))) return
    const unread = await listSkusWithoutStockRead(db, tenant, SLICE, after)
    await reconcileSkus(unread)
    // A product that the inventory did not return is read again after the interval.
    after = unread.length < SLICE ? '' : unread.at(-1)!
  }

  return {
    name: 'unread stock',
    system: 'inventory',
    intervalMs: INTERVAL_MS,
    hasWork: () => after !== '' || seenChanges !== parts.productChanges,
    run,
  }
}
