import { createChangeConsumer } from './change-consumer.ts'
import type { FeedContext, FeedJob } from './change-source.ts'
import { createFeedScheduler, type FeedScheduler, type FeedSchedulerParts } from './feed-scheduler.ts'
import { createDueInvoiceJob, createInvoiceSource } from './invoice-changes.ts'
import { createOrderSource } from './order-changes.ts'
import { createPriceSource } from './price-changes.ts'
import { createProductSource } from './product-changes.ts'
import { createReconciliationJob } from './reconciliation.ts'
import { createStockSource } from './stock-changes.ts'

/** The change feed of these back offices: all that there is to follow. */
export function createChangeFeed(parts: Omit<FeedSchedulerParts, 'jobsOf'>): FeedScheduler {
  return createFeedScheduler({ ...parts, jobsOf })
}

const jobsOf = (place: FeedContext): FeedJob[] => [
  createChangeConsumer(place, createProductSource(place)),
  createChangeConsumer(place, createStockSource(place)),
  createChangeConsumer(place, createPriceSource(place)),
  createChangeConsumer(place, createOrderSource(place)),
  createChangeConsumer(place, createInvoiceSource(place)),
  createReconciliationJob(place),
  createDueInvoiceJob(place),
]
