import { listActiveSkus } from '../../storage/catalog/active-products.ts'
import {
  beginCatalogWalk,
  endCatalogWalk,
  moveCatalogWalk,
  readCatalogWalk,
} from '../../storage/catalog/catalog-walks.ts'
import type { ChangeJob, ChangeJobContext } from '../feed/change-job.ts'

const SLICE = 200
const MAX_SLICES = 5
const INTERVAL_MS = 60_000

/**
 * Creates the job that compares all active products with the inventory once a day, after midnight where the merchant is. It continues after
 * a restart. While it runs, no product is deactivated because it is missing.
 */
export function createDailyReconciliationJob(
  context: ChangeJobContext,
  reconcileSkus: (skus: readonly string[]) => Promise<void>,
): ChangeJob {
  const { db, now, tenant, parts, backOffice } = context
  let isUnderWay = false

  async function run(): Promise<void> {
    if (!(await parts.isFilled('products'))) return
    const { began_on } = await readCatalogWalk(db, tenant)
    if (began_on !== backOffice.today()) await beginCatalogWalk(db, tenant, backOffice.today())
    let { position } = await readCatalogWalk(db, tenant)
    for (let slice = 0; slice < MAX_SLICES && position !== null; slice++) position = await walkSlice(position)
    isUnderWay = position !== null
  }

  /** Returns the position after it; `null`: it was the last, or another process walks now. */
  async function walkSlice(position: string): Promise<string | null> {
    const skus = await listActiveSkus(db, tenant, position, SLICE)
    if (skus.length > 0) await reconcileSkus(skus)
    if (!context.canContinue()) return null
    if (skus.length < SLICE) {
      await endCatalogWalk(db, tenant, new Date(now()).toISOString())
      return null
    }
    await moveCatalogWalk(db, tenant, skus.at(-1)!)
    return skus.at(-1)!
  }

  return { name: 'catalog walk', system: 'inventory', intervalMs: INTERVAL_MS, hasWork: () => isUnderWay, run }
}
