import Type, { type Static } from 'typebox'
import { FACETS } from '../../catalog/search/search-request.ts'
import { BandSchema } from '../../contract/catalog/availability.ts'
import { RequestTime } from '../../contract/schema-parts.ts'
import type { MirrorReader } from '../../upstream/mirror/mirror-reader.ts'
import { PageQuery } from '../page-query.ts'
import { assertMirror } from './assert-mirror.ts'
import { catalogLoading, isTextLoading } from './catalog-loading-error.ts'
import { findsNothing } from './find-products.ts'
import { rejectParameter } from './reject-parameter.ts'

const MAX_SKUS = 200
/** Bounds the work of one request. */
const MAX_VALUES = 100
const anyOf = (description: string, maxLength = 128) =>
  Type.Optional(Type.Array(Type.String({ maxLength }), { maxItems: MAX_VALUES, description }))
const Price = Type.String({
  pattern: '^\\d{1,12}(\\.\\d{1,6})?$',
  'x-pattern-message': 'Input should be an amount without a currency, such as 1234.50',
  description: 'An inclusive limit of the list price, in the merchant’s currency. Needs the catalog mirror',
})

/** The parameters of every list of products, without its page. Values of a repeated filter mean any of them; filters mean all of them. */
export const listFilters = {
  q: Type.Optional(
    Type.String({
      maxLength: 256,
      description:
        'Searches sku, name, brand, mpn, barcode and description; with the catalog mirror also categories, tags, vehicles and other numbers, and corrects typing errors',
    }),
  ),
  category: anyOf(
    'A category_id or slug, including its descendants. May be repeated to match any of several (needs the catalog mirror)',
  ),
  tag: anyOf('May be repeated to match any of several (needs the catalog mirror)'),
  brand: anyOf('Case and accents do not matter. May be repeated to match any of several. Needs the catalog mirror'),
  availability: Type.Optional(
    Type.Array(BandSchema, {
      maxItems: MAX_VALUES,
      description: 'May be repeated to match any of several. Needs the catalog mirror',
    }),
  ),
  min_price: Type.Optional(Price),
  max_price: Type.Optional(Price),
  skus: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: MAX_SKUS,
      'x-separator': ',',
      description: 'Only these SKUs, separated by commas or repeated. An empty list finds nothing',
    }),
  ),
  slug: Type.Optional(
    Type.String({ maxLength: 256, description: 'The product with this slug. Needs the catalog mirror' }),
  ),
  sort: Type.Optional(
    Type.Enum(['relevance', 'name', 'price', '-price', 'newest'], {
      $id: 'ProductSort',
      description:
        'relevance (the default): the best match first, then what sells, what is in stock, what is new. By price, products without a price come last. All values but relevance need the catalog mirror',
    }),
  ),
  facets: Type.Optional(
    Type.Array(Type.Enum([...FACETS], { $id: 'FacetName' }), {
      maxItems: MAX_VALUES,
      'x-separator': ',',
      description: 'Facets to count, separated by commas or repeated. Needs the catalog mirror',
    }),
  ),
}

/** The `updated_since` of a sync. */
export const updatedSince = Type.Optional(
  RequestTime(
    'Changed at or after this time, oldest change first; includes withdrawn products. For the next page, send sync.watermark here',
  ),
)

const ListQuerySchema = Type.Object({
  ...listFilters,
  vehicle_id: Type.Optional(Type.Integer()),
  updated_since: updatedSince,
  ...PageQuery.properties,
})
export type ListQuery = Static<typeof ListQuerySchema>

/** Throws 422 for parameters that contradict each other, or that need a mirror which is off; 503 while what they need of it is being filled. */
export function assertListQuery(query: ListQuery, mirror: MirrorReader): void {
  const { state } = mirror
  const { min_price, max_price, updated_since } = query
  if (min_price !== undefined && max_price !== undefined && Number(min_price) > Number(max_price)) {
    const msg = 'Input should be less than or equal to max_price'
    throw rejectParameter('price_range_invalid', 'min_price', min_price, msg, { max_price })
  }
  if (updated_since !== undefined) assertSync(query)
  // A client that synchronizes would never get what its text does not find yet.
  if (updated_since !== undefined && query.q?.trim() && isTextLoading(mirror) && !findsNothing(query))
    throw catalogLoading()
  // What finds nothing needs nothing of the mirror.
  if (state === 'ready' && (findsNothing(query) || mirror.hasPartsOf(query))) return
  // The systems date their changes differently: a watermark of theirs would let a client skip changes of the mirror.
  if (updated_since !== undefined && state !== 'off') throw catalogLoading()
  const needed = findMirrorParameter(query)
  if (needed) assertMirror(state === 'ready' ? 'filling' : state, needed, query[needed])
}

function assertSync(query: ListQuery): void {
  const name = (['sort', 'facets', 'slug'] as const).find((one) => !isEmpty(query[one]) && query[one] !== 'relevance')
  if (name)
    throw rejectParameter('updated_since_conflict', name, query[name], 'Not allowed together with updated_since')
}

function findMirrorParameter(query: ListQuery): keyof ListQuery | undefined {
  const alone = ['brand', 'availability', 'min_price', 'max_price', 'slug', 'facets'] as const
  if (query.sort !== undefined && query.sort !== 'relevance') return 'sort'
  return (
    alone.find((name) => !isEmpty(query[name])) ??
    (['category', 'tag'] as const).find((name) => new Set(query[name]).size > 1)
  )
}

const isEmpty = (value: string | readonly string[] | undefined) => value === undefined || value.length === 0
