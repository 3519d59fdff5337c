import { expect } from 'chai'
import fc from 'fast-check'
import type { MirrorRow } from '../../../src/catalog/mirror/file/mirror-row.ts'
import type { SearchRequest } from '../../../src/catalog/search/search-request.ts'
import type { BoostConfig } from '../../../src/config/mirror-config.ts'
import type { Category } from '../../../src/ports/inventory.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror } from '../test-mirror.ts'

const BANDS = ['IN_STOCK', 'LOW', 'OUT', 'LEAD_TIME'] as const
const PARENTS: Record<string, string | null> = { Parts: null, Brakes: 'Parts', Pads: 'Brakes', Oil: null }
const tree = Object.entries(PARENTS).map(
  ([name, parent], position): Category => ({
    category_id: `c-${name}`,
    name,
    slug: name.toLowerCase(),
    parent_id: parent && `c-${parent}`,
    position,
    product_count: null,
  }),
)

const UNKNOWN_VEHICLE = 9
const vehicles = [1, 2, 3].map((vehicle_id) => ({
  vehicle_id,
  ...{ year: 2_010, make: 'Kia', model: `Rio ${vehicle_id}`, submodel: null, engine: null, market: 'JM' },
}))

const anyProduct = fc.record({
  brand: fc.constantFrom('Ozaki', 'Harbour', 'Émile', null),
  categories: fc.uniqueArray(fc.constantFrom(...Object.keys(PARENTS)), { maxLength: 3 }),
  tags: fc.uniqueArray(fc.constantFrom('new', 'ceramic', 'sale'), { maxLength: 3 }),
  band: fc.constantFrom(...BANDS, null),
  listPrice: fc.option(fc.integer({ min: 0, max: 400 }).map((amount) => (amount / 4).toFixed(2))),
  name: fc.constantFrom('bolt', 'cable bolt', 'mirror'),
  popularity: fc.integer({ min: 0, max: 3 }),
  vehicles: fc.uniqueArray(fc.integer({ min: 1, max: 3 })),
  universal: fc.boolean(),
  active: fc.boolean(),
})
const BOOSTED = [
  ['brand', 'OZAKI'],
  ['brand', 'Emile'],
  ['category', 'brakes'],
  ['category', 'c-Parts'],
  ['tag', 'sale'],
] as const
const anyBoost = fc
  .tuple(fc.constantFrom(...BOOSTED), fc.integer({ min: -3, max: 3 }))
  .map(([[field, value], boost]): BoostConfig => ({ field, value, boost }))
type AnyProduct = typeof anyProduct extends fc.Arbitrary<infer T> ? T : never

const someOf = <T>(...values: T[]) => fc.option(fc.uniqueArray(fc.constantFrom(...values)), { nil: undefined })
const anyRequest = fc.record({
  q: fc.constantFrom(undefined, 'bolt', 'cable', 'bolt cable'),
  brands: someOf('ozaki', 'EMILE', 'Nobody'),
  categories: someOf('brakes', 'c-Pads', 'parts', 'nothing'),
  tags: someOf('new', 'sale', 'nothing'),
  bands: someOf(...BANDS),
  minPrice: fc.constantFrom(undefined, 0, 25, 50),
  maxPrice: fc.constantFrom(undefined, 25, 60),
  skus: someOf('S-1', 'S-2', 'S-3', 'S-99'),
  vehicleId: fc.constantFrom(undefined, 1, 2, UNKNOWN_VEHICLE),
  sort: fc.constantFrom('relevance', 'name', 'price', '-price', 'newest'),
  limit: fc.constantFrom(1, 3, 50),
  offset: fc.constantFrom(0, 1, 4),
} as const)
type AnyRequest = typeof anyRequest extends fc.Arbitrary<infer T> ? T : never

/** What each filter admits, said again in the plainest way. */
const filters: Record<string, (product: AnyProduct, request: AnyRequest) => boolean> = {
  brand: ({ brand }, { brands }) =>
    !brands ||
    brands.some((wanted) => brand?.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase() === wanted.toLowerCase()),
  category: ({ categories }, { categories: wanted }) =>
    !wanted ||
    categories.some((name) =>
      withParents(name).some((at) => wanted.includes(`c-${at}`) || wanted.includes(at.toLowerCase())),
    ),
  tag: ({ tags }, { tags: wanted }) => !wanted || tags.some((tag) => wanted.includes(tag)),
  availability: ({ band }, { bands }) => !bands || (band !== null && bands.includes(band)),
  price: ({ listPrice }, { minPrice, maxPrice }) =>
    (minPrice === undefined && maxPrice === undefined) ||
    (listPrice !== null &&
      Number(listPrice) >= (minPrice ?? 0) &&
      Number(listPrice) <= (maxPrice ?? Number.POSITIVE_INFINITY)),
}
const withParents = (name: string): string[] => (PARENTS[name] ? [name, ...withParents(PARENTS[name])] : [name])
const hasWords = ({ name }: AnyProduct, q: string) => q.split(' ').every((word) => name.split(' ').includes(word))

function sumBoosts({ brand, categories, tags }: AnyProduct, boosts: readonly BoostConfig[]): number {
  const values: Record<BoostConfig['field'], readonly string[]> = {
    brand: brand === null ? [] : [brand.replace('É', 'E').toLowerCase()],
    category: categories.flatMap(withParents).flatMap((name) => [`c-${name}`, name.toLowerCase()]),
    tag: tags,
  }
  return boosts
    .filter(({ field, value }) => values[field].includes(field === 'brand' ? value.toLowerCase() : value))
    .reduce((sum, { boost }) => sum + boost, 0)
}

function findPlainly(products: AnyProduct[], request: AnyRequest, boosts: readonly BoostConfig[]) {
  const { q, skus, vehicleId } = request
  const candidates = products
    .map((product, index) => ({ ...product, index, sku: `S-${index}` }))
    .filter(({ active }) => active)
    .filter((product) => q === undefined || hasWords(product, q))
    .filter(({ sku }) => !skus || skus.includes(sku))
    .filter(
      ({ vehicles, universal }) =>
        vehicleId === undefined || vehicles.includes(vehicleId) || (universal && vehicleId !== UNKNOWN_VEHICLE),
    )
  const passing = (except?: string) =>
    candidates.filter((product) =>
      Object.entries(filters).every(([name, admits]) => name === except || admits(product, request)),
    )
  const countBy = (facet: string, valuesOf: (product: AnyProduct) => Iterable<string>) => {
    const counts = new Map<string, number>()
    for (const product of passing(facet))
      for (const value of new Set(valuesOf(product))) counts.set(value, (counts.get(value) ?? 0) + 1)
    return Object.fromEntries(counts)
  }
  const price = ({ listPrice }: AnyProduct) => (listPrice === null ? null : Number(listPrice))
  const inStock = ({ band }: AnyProduct) => (band === null || band === 'OUT' ? 0 : 1)
  const orders = {
    relevance: (one: AnyProduct, other: AnyProduct) =>
      other.popularity + sumBoosts(other, boosts) - one.popularity - sumBoosts(one, boosts) ||
      inStock(other) - inStock(one),
    price: (one: AnyProduct, other: AnyProduct) =>
      Number(price(one) === null) - Number(price(other) === null) || price(one)! - price(other)!,
    '-price': (one: AnyProduct, other: AnyProduct) =>
      Number(price(one) === null) - Number(price(other) === null) || price(other)! - price(one)!,
    newest: () => 0,
  }
  const hits = passing()
  const ordered =
    request.sort === 'name'
      ? hits.sort((one, other) => (one.name === other.name ? one.index - other.index : one.name < other.name ? -1 : 1))
      : hits.sort((one, other) => orders[request.sort as keyof typeof orders](one, other) || other.index - one.index)
  return {
    skus: ordered.slice(request.offset, request.offset + request.limit).map(({ sku }) => sku),
    total: hits.length,
    brand: countBy('brand', ({ brand }) => (brand === null ? [] : [brand])),
    category: countBy('category', ({ categories }) => categories.flatMap(withParents).map((name) => `c-${name}`)),
    tag: countBy('tag', ({ tags }) => tags),
    availability: countBy('availability', ({ band }) => (band === null ? [] : [band])),
    priced: passing('price').filter(({ listPrice }) => listPrice !== null).length,
  }
}

const toMirrorRow = ({ brand, tags, name, active, ...parts }: AnyProduct, index: number): MirrorRow =>
  toRow(`S-${index}`, { ...parts, product: { brand, tags, name, active } })

const toObject = (counts: { value: string; count: number }[] = []) =>
  Object.fromEntries(counts.map(({ value, count }) => [value, count]))

describe('search filters, orders and facets', () => {
  it('give what a plain walk over all products gives, after each of several changes', () => {
    fc.assert(
      fc.property(
        fc.array(anyProduct, { minLength: 1, maxLength: 12 }),
        fc.array(fc.tuple(fc.nat(11), anyProduct), { maxLength: 4 }),
        fc.array(anyRequest, { minLength: 1, maxLength: 4 }),
        fc.array(anyBoost, { maxLength: 3 }),
        (initial, changes, requests, boosts) => {
          using mirror = openTestMirror({ reuseMs: 0, suggestReuseMs: 0, boosts })
          const products = [...initial]
          mirror.write(products.map(toMirrorRow), { categories: tree, vehicles })
          const check = () => {
            for (const request of requests) {
              const facets = ['brand', 'category', 'tag', 'availability', 'price'] as const
              const found = mirror.find({ ...request, facets } as SearchRequest)
              const { brand, category, tag, availability, price } = found.facets as Record<
                string,
                { value: string; count: number }[]
              >
              expect({
                skus: found.skus,
                total: found.total,
                brand: toObject(brand),
                category: toObject(category),
                tag: toObject(tag),
                availability: toObject(availability),
                priced: price!.reduce((sum, { count }) => sum + count, 0),
              }).to.deep.equal(findPlainly(products, request, boosts))
            }
          }
          check()
          for (const [at, changed] of changes) {
            const index = at % products.length
            products[index] = changed
            mirror.write([toMirrorRow(changed, index)])
            check()
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('are found once for all customers where no text names a customer’s number', () => {
    using mirror = openTestMirror()
    const reference = { kind: 'CUSTOMER' as const, brand: null, number: 'SHELF-7', customer_id: 'C-1' }
    mirror.write([toRow('S-1', { references: [reference] })])
    const facetsOf = (customerId: string, q?: string) =>
      mirror.find({ facets: ['brand'], customerId, ...(q !== undefined && { q }) }).facets
    expect(facetsOf('C-1')).to.equal(facetsOf('C-2'))
    expect(facetsOf('C-1', 'SHELF-7')).to.not.equal(facetsOf('C-2', 'SHELF-7'))
  })

  it('count prices in ranges', () => {
    using mirror = openTestMirror()
    const prices = ['0', '0.99', '1', '1.99', '2', '4.99', '5', '9.99', '10', '19.99', '999.99', '1000', '123456789012']
    mirror.write(prices.map((listPrice, index) => toRow(`S-${index}`, { listPrice })))
    expect(mirror.find({ facets: ['price'] }).facets).to.deep.equal({
      price: [
        { from: 0, to: 1, count: 2 },
        { from: 1, to: 2, count: 2 },
        { from: 2, to: 5, count: 2 },
        { from: 5, to: 10, count: 2 },
        { from: 10, to: 20, count: 2 },
        { from: 500, to: 1_000, count: 1 },
        { from: 1_000, to: 2_000, count: 1 },
        { from: 5_000_000_000, to: null, count: 1 },
      ],
    })
  })

  it('give each product once over all pages, also where many are equal', () => {
    using mirror = openTestMirror()
    mirror.write(
      Array.from({ length: 1_500 }, (_, index) => toRow(`S-${index}`, { product: { name: 'pad' }, listPrice: '5.00' })),
    )
    for (const sort of ['relevance', 'name', 'price', 'newest'] as const) {
      const skus = Array.from(
        { length: 15 },
        (_, page) => mirror.find({ q: 'pad', sort, limit: 100, offset: page * 100 }).skus,
      ).flat()
      expect(new Set(skus).size, sort).to.equal(1_500)
    }
    expect(mirror.find({ q: 'pad', offset: 1_500 })).to.deep.include({ skus: [], total: 1_500 })
  })
})
