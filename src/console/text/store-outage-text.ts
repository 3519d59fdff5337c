import type { StoreOutage } from '../../storage/store-monitor.ts'
import type { DisplayTime } from './format-times.ts'

/** Says since when the store is unavailable, and why. */
export const describeStoreOutage = ({ reason }: Pick<StoreOutage, 'reason'>, since: DisplayTime): string =>
  `The store has been unavailable since ${since.text}: ${reason}.`

/** What shoppers lack without the store, and what they still have. */
export const STORE_OUTAGE_EFFECT =
  'The store is the database of Forecourt. Shoppers still see the catalog. They cannot sign in, fill a cart, check out or see orders, and no webhooks are sent, until the store is back. Nothing that was confirmed is lost.'
