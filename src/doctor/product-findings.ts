import type { UpstreamError } from '../errors.ts'
import type { PortName } from '../ports/system.ts'
import type { CatalogSample, SampledProduct } from './catalog-sample.ts'
import type { SystemFinding } from './diagnosis.ts'
import { remedyForFailure, type SystemLocation } from './failure-remedies.ts'

const NAMED = 10
/** Clocks that are set by a server agree to well below this. */
const SKEW_MS = 120_000

/** One thing that may be wrong with a product, how bad that is, and how to mend it. */
interface Check {
  check: string
  systems: readonly PortName[]
  severity: SystemFinding['severity']
  /** Read after "37 of 1000 products". */
  says: string
  remedy: string
  isSo(good: SampledProduct, around: Around): boolean
}

interface Around {
  now: number
  /** Slugs that stand on several products. */
  shared: ReadonlySet<string>
}

const checks: readonly Check[] = [
  {
    ...{ check: 'unknown_to_items', systems: ['inventory'], severity: 'error' },
    says: 'are answered by search and not found by items',
    remedy: 'Look at these SKUs in the inventory system: both must know the same products',
    isSo: ({ isFoundByItems: found }) => !found,
  },
  {
    ...{ check: 'product_without_price', systems: ['pricing'], severity: 'warning' },
    says: 'have no price: they are shown without one and cannot be sold',
    remedy: 'Give them a sale price in the pricing system, or take them from sale',
    isSo: ({ price }) => price === null,
  },
  {
    ...{ check: 'price_of_zero', systems: ['pricing'], severity: 'warning' },
    says: 'cost nothing',
    remedy: 'Give them a sale price in the pricing system, or take them from sale',
    isSo: ({ price }) => price !== null && price !== undefined && Number(price.amount) === 0,
  },
  {
    ...{ check: 'product_without_tax', systems: ['accounting'], severity: 'warning' },
    says: 'have no tax: they cannot be sold',
    remedy: 'Give them a tax in the ledger (one of rate 0 where none is due)',
    isSo: ({ hasTax: taxed }) => taxed === false,
  },
  {
    ...{ check: 'product_unreadable', systems: ['inventory'], severity: 'warning' },
    says: 'are listed without what makes a product',
    remedy: 'Look at the records of these SKUs in the inventory system',
    isSo: ({ product }) => product === null,
  },
  {
    ...{ check: 'no_stock_record', systems: ['inventory'], severity: 'note' },
    says: 'have no stock record: their availability is unknown',
    remedy: 'Keep stock of them in the inventory system, unless they are services',
    isSo: ({ stock }) => stock === null,
  },
  {
    ...{ check: 'duplicate_slug', systems: ['inventory'], severity: 'warning' },
    says: 'share their slug with another product',
    remedy: 'Give them names, or slugs, of their own: pages of a storefront are found by them',
    isSo: ({ product }, { shared }) => product !== null && shared.has(product.slug),
  },
  {
    ...{ check: 'without_category', systems: ['inventory'], severity: 'note' },
    says: 'are in no category: they are found by search alone',
    remedy: 'Put them into categories of the catalog',
    isSo: ({ product }) => product?.categories.length === 0,
  },
  {
    ...{ check: 'without_picture', systems: ['inventory'], severity: 'note' },
    says: 'have no picture',
    remedy: 'Give them pictures in the inventory system',
    isSo: ({ product }) => product?.media?.length === 0,
  },
  {
    ...{ check: 'clock', systems: ['inventory'], severity: 'warning' },
    says: 'changed in the future, by our clock',
    remedy: 'Set both clocks by NTP, and have the system keep its times in UTC: changes are followed by them',
    isSo: ({ product }, { now }) => product !== null && Date.parse(product.updated_at) > now + SKEW_MS,
  },
]

/** What a walk over the catalog shows, worst first. */
export function productFindings(
  { products: goods, duplicateSkus: doubled, error: broken }: CatalogSample,
  place: SystemLocation,
  now: number,
): SystemFinding[] {
  const slugs = Map.groupBy(
    goods.flatMap(({ product }) => (product ? [product] : [])),
    ({ slug }) => slug,
  )
  const shared = new Set([...slugs].flatMap(([slug, { length }]) => (length > 1 ? [slug] : [])))
  const found = checks.flatMap((check) => {
    const skus = goods.filter((good) => check.isSo(good, { now, shared })).map(({ sku }) => sku)
    return skus.length === 0 ? [] : [foundOf(check, skus, goods.length)]
  })
  return [
    // A walk that does not even begin has a row of its own.
    ...(broken && broken.failure !== 'aborted' && goods.length > 0 ? [brokenOff(goods.length, broken, place)] : []),
    ...found,
    ...(doubled.length > 0 ? [twice(doubled)] : []),
  ]
}

const brokenOff = (done: number, error: UpstreamError, place: SystemLocation): SystemFinding => ({
  ...{ check: 'walk', systems: ['inventory'], severity: 'error' },
  finding: `after ${done} products the search fails: ${error.message}`,
  remedy: remedyForFailure(error, place),
})

/** Of which most are so, something else is wrong than a product here and there. */
function foundOf({ check, systems, severity, says, remedy }: Check, skus: string[], all: number): SystemFinding {
  const worse = severity === 'warning' && skus.length > all / 2 ? 'error' : severity
  return {
    check,
    systems,
    severity: worse,
    finding: `${skus.length} of ${all} products ${says}: ${abbreviateList(skus)}`,
    remedy,
  }
}

const twice = (skus: string[]): SystemFinding => ({
  check: 'duplicate_sku',
  systems: ['inventory'],
  severity: 'warning',
  finding: `${skus.length} SKUs stand on several pages of a search: ${abbreviateList(skus)}`,
  remedy: 'Give every product a SKU of its own, and have the system list them in an order that stays',
})

export const abbreviateList = (names: readonly string[]) =>
  `${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ` and ${names.length - NAMED} more` : ''}`
