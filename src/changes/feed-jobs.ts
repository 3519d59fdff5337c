import { createCatalogCopyJobs } from './catalog-copy-jobs.ts'
import { createChangeConsumer } from './change-consumer.ts'
import type { FeedContext, FeedJob } from './change-source.ts'
import { createDueInvoiceJob } from './due-invoices.ts'
import { createInvoiceSource } from './invoice-changes.ts'
import { createOrderSource } from './order-changes.ts'
import { createPriceSource } from './price-changes.ts'
import { createProductSource } from './product-changes.ts'
import { createReconciliationJob } from './reconciliation.ts'
import { createStockSource } from './stock-changes.ts'

/** Creates the jobs of one tenant's change feed. */
export const createFeedJobs = (context: FeedContext): FeedJob[] => [
  createChangeConsumer(context, createProductSource(context)),
  createChangeConsumer(context, createStockSource(context)),
  createChangeConsumer(context, createPriceSource(context)),
  createChangeConsumer(context, createOrderSource(context)),
  createChangeConsumer(context, createInvoiceSource(context)),
  createReconciliationJob(context),
  createDueInvoiceJob(context),
  ...createCatalogCopyJobs(context),
]
