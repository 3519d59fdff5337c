import { createCatalogCopyJobs } from './catalog-copy-jobs.ts'
import { createCatalogDocumentJob } from './catalog-document-job.ts'
import { createCatalogWalkJob } from './catalog-walk-job.ts'
import { createChangeConsumer } from './change-consumer.ts'
import type { FeedContext, FeedJob } from './change-source.ts'
import { createDueInvoiceJob } from './due-invoices.ts'
import { createInvoiceSource } from './invoice-changes.ts'
import { createListPriceJob } from './list-price-turns.ts'
import { createOrderSource } from './order-changes.ts'
import { createPriceSource } from './price-changes.ts'
import { createProductSource } from './product-changes.ts'
import { createProductSalesJob } from './product-sales-job.ts'
import { createReconciliationJob } from './reconciliation.ts'
import { createSkuReconciler } from './sku-reconciler.ts'
import { createStockSource } from './stock-changes.ts'
import { createUnreadStockJob } from './unread-stock-job.ts'

/** Creates the jobs of one tenant's change feed. */
export function createFeedJobs(context: FeedContext): FeedJob[] {
  const reconcileSkus = createSkuReconciler(context)
  return [
    createChangeConsumer(context, createProductSource(context)),
    createChangeConsumer(context, createStockSource(context)),
    createChangeConsumer(context, createPriceSource(context)),
    createChangeConsumer(context, createOrderSource(context)),
    createChangeConsumer(context, createInvoiceSource(context)),
    createReconciliationJob(context, reconcileSkus),
    createDueInvoiceJob(context),
    ...(context.hasMirror
      ? [
          ...createCatalogJobs(context),
          createUnreadStockJob(context, reconcileSkus),
          createCatalogWalkJob(context, reconcileSkus),
        ]
      : []),
  ]
}

/** Creates the jobs that read, or count, what only the catalog mirrors need. */
const createCatalogJobs = (context: FeedContext): FeedJob[] => [
  createListPriceJob(context, 'price'),
  createListPriceJob(context, 'tax'),
  createCatalogDocumentJob(context, 'categories'),
  createCatalogDocumentJob(context, 'tags'),
  ...createCatalogCopyJobs(context),
  createProductSalesJob(context),
]
