import { createFeed, type Feed, type FeedParts } from './feed-scheduler.ts'
import { follow } from './change-consumer.ts'
import type { FeedPlace, Job } from './change-source.ts'
import { priceSource } from './price-changes.ts'
import { productSource } from './product-changes.ts'
import { stockSource } from './stock-changes.ts'
import { sweep } from './reconciliation.ts'
import { dueInvoices, invoiceSource } from './invoice-changes.ts'
import { orderSource } from './order-changes.ts'

/** The change feed of these back offices: all that there is to follow. */
export function createChangeFeed(parts: Omit<FeedParts, 'jobsOf'>): Feed {
  return createFeed({ ...parts, jobsOf })
}

const jobsOf = (place: FeedPlace): Job[] => [
  follow(place, productSource(place)),
  follow(place, stockSource(place)),
  follow(place, priceSource(place)),
  follow(place, orderSource(place)),
  follow(place, invoiceSource(place)),
  sweep(place),
  dueInvoices(place),
]
