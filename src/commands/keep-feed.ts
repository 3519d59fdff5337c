import { createFeed, type Feed, type FeedParts } from '../events/feed.ts'
import { follow } from '../events/feed-follow.ts'
import type { FeedPlace, Job } from '../events/feed-source.ts'
import { priceSource } from '../events/follow-prices.ts'
import { productSource } from '../events/follow-products.ts'
import { stockSource } from '../events/follow-stock.ts'
import { sweep } from '../events/sweep.ts'
import { dueInvoices, invoiceSource } from './follow-invoices.ts'
import { orderSource } from './follow-orders.ts'

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
