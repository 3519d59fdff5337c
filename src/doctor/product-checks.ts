import type { PortName } from '../ports/system.ts'
import type { SampledProduct } from './catalog-sample.ts'
import type { SystemFinding } from './diagnosis.ts'

/** A possible problem of a product, its severity, and how to fix it. */
export interface ProductCheck {
  check: string
  systems: readonly PortName[]
  severity: SystemFinding['severity']
  /** Follows "37 of 1000 products". */
  problem: string
  remedy: string
  matches(sampled: SampledProduct, context: ProductCheckContext): boolean
}

export interface ProductCheckContext {
  now: number
  /** Slugs of more than one product. */
  sharedSlugs: ReadonlySet<string>
}

/** Clocks that are set by NTP differ by far less. */
const MAX_CLOCK_SKEW_MS = 120_000

/** Worst first. */
export const productChecks: readonly ProductCheck[] = [
  {
    check: 'unknown_to_items',
    systems: ['inventory'],
    severity: 'error',
    problem: 'are returned by search but not by items',
    remedy: 'Check these SKUs in the inventory system: both operations must return the same products',
    matches: ({ isFoundByItems }) => !isFoundByItems,
  },
  {
    check: 'product_without_price',
    systems: ['pricing'],
    severity: 'warning',
    problem: 'have no price: they are shown without one and cannot be sold',
    remedy: 'Give them a sale price in the pricing system, or take them off sale',
    matches: ({ price }) => price === null,
  },
  {
    check: 'price_of_zero',
    systems: ['pricing'],
    severity: 'warning',
    problem: 'have a price of zero',
    remedy: 'Give them a sale price in the pricing system, or take them off sale',
    matches: ({ price }) => price !== null && price !== undefined && Number(price.amount) === 0,
  },
  {
    check: 'product_without_tax',
    systems: ['accounting'],
    severity: 'warning',
    problem: 'have no tax: they cannot be sold',
    remedy: 'Give them a tax in accounting (one with rate 0 if none is due)',
    matches: ({ hasTax }) => hasTax === false,
  },
  {
    check: 'product_unreadable',
    systems: ['inventory'],
    severity: 'warning',
    problem: 'are listed without product data',
    remedy: 'Check the records of these SKUs in the inventory system',
    matches: ({ product }) => product === null,
  },
  {
    check: 'no_stock_record',
    systems: ['inventory'],
    severity: 'note',
    problem: 'have no stock record: their availability is unknown',
    remedy: 'Keep stock records for them in the inventory system, unless they are services',
    matches: ({ stock }) => stock === null,
  },
  {
    check: 'duplicate_slug',
    systems: ['inventory'],
    severity: 'warning',
    problem: 'share their slug with another product',
    remedy: 'Give each of them its own name or slug: storefronts find product pages by slug',
    matches: ({ product }, { sharedSlugs }) => product !== null && sharedSlugs.has(product.slug),
  },
  {
    check: 'without_category',
    systems: ['inventory'],
    severity: 'note',
    problem: 'are in no category: only a search finds them',
    remedy: 'Put them into categories of the catalog',
    matches: ({ product }) => product?.categories.length === 0,
  },
  {
    check: 'without_picture',
    systems: ['inventory'],
    severity: 'note',
    problem: 'have no picture',
    remedy: 'Give them pictures in the inventory system',
    matches: ({ product }) => product?.media?.length === 0,
  },
  {
    check: 'clock',
    systems: ['inventory'],
    severity: 'warning',
    problem: 'have a change time in the future, according to the clock of this machine',
    remedy: 'Synchronize both clocks by NTP, and let the system store its times in UTC: change feeds depend on them',
    matches: ({ product }, { now }) => product !== null && Date.parse(product.updated_at) > now + MAX_CLOCK_SKEW_MS,
  },
]
