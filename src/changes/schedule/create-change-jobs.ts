import { createCatalogCopyJobs } from '../catalog-copies/catalog-copy-jobs.ts'
import type { ChangeJob, ChangeJobContext } from '../feed/change-job.ts'
import { createChangeSourceJob } from '../feed/change-source-job.ts'
import { createInvoiceSource } from '../orders/invoice-changes.ts'
import { createOrderSource } from '../orders/order-changes.ts'
import { createOverdueInvoiceJob } from '../orders/overdue-invoice-job.ts'
import { createAnalyzeCatalogJob } from '../products/analyze-catalog-job.ts'
import { createBackInStockJob } from '../products/back-in-stock-job.ts'
import { createPopularityJob } from '../products/popularity-job.ts'
import { createPriceAndTaxRefreshJob } from '../products/price-and-tax-refresh-job.ts'
import { createPriceSource } from '../products/price-changes.ts'
import { createProductSource } from '../products/product-changes.ts'
import { createStockSource } from '../products/stock-changes.ts'
import { createTaxonomyJob } from '../products/taxonomy-job.ts'
import { createDailyReconciliationJob } from '../reconciliation/daily-reconciliation-job.ts'
import { createReconciliationJob } from '../reconciliation/reconciliation-job.ts'
import { createSkuReconciler } from '../reconciliation/sku-reconciler.ts'
import { createUnreadStockJob } from '../reconciliation/unread-stock-job.ts'

/** Creates the jobs of one tenant's change feed. */
export function createChangeJobs(context: ChangeJobContext): ChangeJob[] {
  const reconcileSkus = createSkuReconciler(context)
  return [
    createChangeSourceJob(context, createProductSource(context)),
    createChangeSourceJob(context, createStockSource(context)),
    createChangeSourceJob(context, createPriceSource(context)),
    createChangeSourceJob(context, createOrderSource(context)),
    createChangeSourceJob(context, createInvoiceSource(context)),
    createReconciliationJob(context, reconcileSkus),
    createOverdueInvoiceJob(context),
    createBackInStockJob(context),
    ...(context.hasMirror
      ? [
          ...createCatalogJobs(context),
          createUnreadStockJob(context, reconcileSkus),
          createDailyReconciliationJob(context, reconcileSkus),
        ]
      : []),
  ]
}

/** Creates the jobs that read or count data that only the catalog mirrors need. */
const createCatalogJobs = (context: ChangeJobContext): ChangeJob[] => [
  createPriceAndTaxRefreshJob(context, 'price'),
  createPriceAndTaxRefreshJob(context, 'tax'),
  createTaxonomyJob(context, 'categories'),
  createTaxonomyJob(context, 'tags'),
  ...createCatalogCopyJobs(context),
  createPopularityJob(context),
  createAnalyzeCatalogJob(context),
]
