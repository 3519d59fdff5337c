import type { StoreOutage } from '../../storage/store-monitor.ts'
import { describeFailure } from './failure-kind-text.ts'
import type { DisplayTime } from './format-times.ts'

/** What pages call the store: a shop is called a store as well. */
export const STORE_NAME = 'Forecourt’s database'

/** Says since when the store is unavailable, and why. */
export const describeStoreOutage = ({ reason }: Pick<StoreOutage, 'reason'>, since: DisplayTime): string =>
  `${STORE_NAME} has been unavailable since ${since.text}: ${describeFailure(reason)}.`

/** What shoppers lack without the store, and what they still have. */
export const STORE_OUTAGE_EFFECT =
  'Shoppers still see the catalog. They cannot sign in, fill a cart, check out or see orders, and no webhooks are sent, until the database is back. Nothing that was confirmed is lost.'
