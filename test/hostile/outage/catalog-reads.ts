import type { SeededRandom } from '../../crash/seeded-random.ts'

export type ReadKind =
  | 'list'
  | 'search'
  | 'facets'
  | 'detail'
  | 'vehicles'
  | 'vehicle products'
  | 'fitments'
  | 'availability'
  | 'availability batch'
  | 'suggest'
  | 'lookup'
  | 'taxonomy'

/** A read of the catalog. `posted`: the body of a POST. */
export interface CatalogRead {
  kind: ReadKind
  path: string
  posted?: object
}

/** A product as lists show it. */
export interface ListedProduct {
  sku: string
  name: string
  mpn: string | null
  price: object | null
  availability: object | null
}

/** What reads are made of. */
export interface KnownCatalog {
  products: readonly ListedProduct[]
  brands: readonly string[]
  categories: readonly string[]
  tags: readonly string[]
  years: readonly number[]
  /** Makes of the years, as queries. */
  makes: readonly string[]
  vehicleIds: readonly number[]
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
type Get = (path: string) => Promise<any>

const PAGE = 200
/** The years whose vehicles are read: all of them have too many makes to learn. */
const MAX_YEARS = 4

export async function learnCatalog(get: Get): Promise<KnownCatalog> {
  const products: ListedProduct[] = []
  for (let hasMore = true; hasMore; ) {
    const { data, pagination } = await get(`/v1/products?sort=name&limit=${PAGE}&offset=${products.length}`)
    products.push(...data)
    hasMore = pagination.has_more
  }
  const { facets } = await get('/v1/products?facets=brand,category,tag&limit=1')
  const years: number[] = (await get('/v1/vehicles/years')).data.map(({ value }: { value: unknown }) => Number(value))
  const makes: string[] = []
  const vehicleIds: number[] = []
  for (const year of years.slice(0, MAX_YEARS))
    for (const { value } of (await get(`/v1/vehicles/makes?year=${year}`)).data)
      makes.push(`year=${year}&make=${encodeURIComponent(value)}`)
  for (const query of makes)
    for (const { vehicle_id } of (await get(`/v1/vehicles/models?${query}`)).data)
      if (vehicle_id) vehicleIds.push(vehicle_id)
  return {
    products,
    brands: facets.brand.map(({ value }: { value: string }) => value),
    categories: facets.category.map(({ slug }: { slug: string }) => slug),
    tags: facets.tag.map(({ value }: { value: string }) => value),
    years,
    makes,
    vehicleIds,
  }
}

const SORTS = ['relevance', 'name', 'price', '-price', 'newest']
const BANDS = ['IN_STOCK', 'LOW', 'OUT', 'LEAD_TIME']
const FACETS = ['brand', 'category', 'tag', 'availability', 'price']
const MAX_LIMIT = 12
const MAX_PRICE = 20_000

/** Returns a function that makes a random read each time. Most are new, so that no cache hides what a read needs. */
export function createReads(catalog: KnownCatalog, random: SeededRandom): () => CatalogRead {
  const { products, brands, categories, tags, years, makes, vehicleIds } = catalog
  const isLikely = () => random.next() < 0.5
  const sku = () => encodeURIComponent(random.of(products).sku)

  function filters(): URLSearchParams {
    const query = new URLSearchParams({ limit: String(random.between(1, MAX_LIMIT)) })
    if (isLikely()) query.set('sort', random.of(SORTS))
    if (random.next() < 0.3) query.append('category', random.of(categories))
    if (random.next() < 0.2) query.append('tag', random.of(tags))
    for (let count = random.between(0, 2); count > 0; count--) query.append('brand', random.of(brands))
    if (random.next() < 0.2) query.append('availability', random.of(BANDS))
    if (isLikely()) query.set('min_price', String(random.between(0, MAX_PRICE / 10)))
    if (isLikely()) query.set('max_price', String(random.between(MAX_PRICE / 10, MAX_PRICE)))
    if (isLikely()) query.set('offset', String(random.between(0, 40)))
    return query
  }

  function typed(): string {
    const words = random.of(products).name.split(' ').slice(0, random.between(1, 3))
    return (isLikely() ? words : [mistype(words[0]!), ...words.slice(1)]).join(' ')
  }

  /** Swaps two letters of a word. */
  function mistype(word: string): string {
    const at = random.between(0, Math.max(0, word.length - 2))
    return word.slice(0, at) + [...word.slice(at, at + 2)].reverse().join('') + word.slice(at + 2)
  }

  function search(): string {
    const query = filters()
    query.set('q', typed())
    return `/v1/products?${query}`
  }

  const reads: Record<ReadKind, () => Omit<CatalogRead, 'kind'>> = {
    list: () => ({ path: `/v1/products?${filters()}` }),
    search: () => ({ path: search() }),
    facets: () => ({ path: `${search()}&facets=${FACETS.slice(0, random.between(1, FACETS.length))}` }),
    detail: () => ({ path: `/v1/products/${sku()}` }),
    vehicles: () => ({
      path: isLikely()
        ? `/v1/vehicles/models?${random.of(makes)}`
        : `/v1/vehicles/${isLikely() ? `makes?year=${random.of(years)}` : 'years'}`,
    }),
    'vehicle products': () => ({
      path: isLikely()
        ? `/v1/vehicles/${random.of(vehicleIds)}/products?${filters()}`
        : `/v1/products?vehicle_id=${random.of(vehicleIds)}&limit=${random.between(1, MAX_LIMIT)}`,
    }),
    fitments: () => ({ path: `/v1/products/${sku()}/fitments?limit=${random.between(1, MAX_LIMIT)}` }),
    availability: () => ({ path: `/v1/products/${sku()}/availability` }),
    'availability batch': () => ({
      path: '/v1/availability/batch',
      posted: { skus: Array.from({ length: random.between(1, MAX_LIMIT) }, () => random.of(products).sku) },
    }),
    suggest: () => ({ path: `/v1/suggest?q=${encodeURIComponent(typed().slice(0, random.between(1, 8)))}` }),
    lookup: () => ({ path: `/v1/lookup?number=${sku()}` }),
    taxonomy: () => ({ path: isLikely() ? '/v1/categories' : '/v1/tags' }),
  }
  const kinds = Object.keys(reads) as ReadKind[]
  return () => {
    const kind = random.of(kinds)
    return { kind, ...reads[kind]() }
  }
}
