import { analyzeCatalog } from '../../storage/analyze-tables.ts'
import { countOrdinals } from '../../storage/catalog/product-ordinals.ts'
import type { ChangeJob, ChangeJobContext } from '../feed/change-job.ts'

const INTERVAL_MS = 1_000
const MIN_PRODUCTS = 64
const GROWTH = 4

/** Creates the job that lets the store analyze its catalog while it grows, which keeps the first fill of a mirror fast on PostgreSQL. */
export function createAnalyzeCatalogJob({ db, tenant }: ChangeJobContext): ChangeJob {
  let nextProducts = MIN_PRODUCTS
  return {
    name: 'catalog statistics',
    system: null,
    intervalMs: INTERVAL_MS,
    async run() {
      const products = await countOrdinals(db, tenant)
      if (products < nextProducts) return
      await analyzeCatalog(db)
      nextProducts = products * GROWTH
    },
  }
}
