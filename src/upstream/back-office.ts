import pLimit from 'p-limit'
import { type Banded, type BandLimits, bandOf, dayIn } from '../catalog/availability-bands.ts'
import { createExpiries, LISTS } from '../cache/invalidation.ts'
import type { FairCache } from '../cache/fair-cache.ts'
import { UpstreamError } from '../errors.ts'
import type { AccountingPort, Tax } from '../ports/accounting.ts'
import type { Call } from '../ports/call.ts'
import type { FitmentPort } from '../ports/fitment.ts'
import type {
  Category,
  Coming,
  FacetValue,
  Fitment,
  InventoryPort,
  Item,
  ItemPage,
  Page,
  Product,
  ProductQuery,
  SkuFitments,
  Tag,
  Vehicle,
  VehicleFacetQuery,
} from '../ports/inventory.ts'
import type { Picture } from '../ports/picture.ts'
import type { Price, PricingPort, Quote, QuoteQuestion } from '../ports/pricing.ts'
import type { Source, System } from '../ports/system.ts'
import { type AccountOffice, createAccountOffice, type Live, runLive } from './accounting-client.ts'
import type { Asking } from './request-scope.ts'
import type { BreakerState, Hold } from './circuit-breaker.ts'
import { type ChangeOffice, createChangeOffice } from './change-reader.ts'
import { createComingSkus } from './sku-prefetch.ts'
import { createFitmentOffice } from './fitment-reader.ts'
import { type Guard, type Priority, type Running, unasked } from './guard.ts'
import { createLoader, type Filled, type Freshness, type Kept } from './cached-loader.ts'
import type { Runner } from './store-call-runner.ts'
import type { Asker } from './trace-recorder.ts'

/** A filled port behind its guard; absent where the merchant's back office has no such system. */
export interface Guarded<P> {
  port: P
  guard: Guard
}

export interface BackOfficeParts {
  /** Keeps one merchant's and mode's values apart from all others: "acme/live". */
  owner: string
  timeZone: string
  bands: BandLimits
  cache: FairCache<Kept>
  inventory?: Guarded<InventoryPort>
  pricing?: Guarded<PricingPort>
  accounting?: Guarded<AccountingPort>
  /** Left out: the inventory's own vehicles. `guard`: of a source that has a circuit. */
  fitment?: { port: FitmentPort; runner: Runner; guard?: Guard }
  now?: () => number
}

/** A page of SKUs in the order that was asked for; their parts were kept as they came. */
export interface SkuPage {
  skus: string[]
  /** Milliseconds since the epoch: the newest change of a product on this page, as the page itself was read. */
  newest: number
  total: number | null
  has_more: boolean
}

export interface VehiclePage extends SkuPage {
  vehicle: Vehicle | null
  fitments: (Fitment & { universal: boolean })[]
}

/** One merchant's systems in one mode, as the routes read them: cached, batched, guarded. Nothing here rejects. */
export interface BackOffice {
  readonly owner: string
  readonly watermarkOverlapSeconds: number
  /** YYYY-MM-DD where the merchant is. */
  today(): string
  products(skus: readonly string[], asking: Asking): Promise<Filled<Product>[]>
  availability(skus: readonly string[], asking: Asking): Promise<Filled<Banded>[]>
  prices(skus: readonly string[], customerId: string | null, asking: Asking): Promise<Filled<Price>[]>
  taxes(skus: readonly string[], customerId: string | null, asking: Asking): Promise<Filled<Tax>[]>
  /** `coming`: told of the page's SKUs ahead of the page, where it has to be read and the system names them first. */
  search(query: ProductQuery, asking: Asking, coming?: Coming): Promise<Filled<SkuPage>>
  categories(asking: Asking): Promise<Filled<Category[]>>
  tags(asking: Asking): Promise<Filled<Tag[]>>
  vehicleFacet(query: VehicleFacetQuery, asking: Asking): Promise<Filled<FacetValue[]>>
  vehicleItems(vehicleId: number, page: Page, asking: Asking): Promise<Filled<VehiclePage>>
  fitments(sku: string, page: Page, asking: Asking): Promise<Filled<SkuFitments>>
  /** These SKUs have changed in the back office: nothing that was asked for before is served of them; with `lists`, no list or search either. */
  expire(skus: readonly string[], lists: boolean): void
  /** Forgets what is cached of these SKUs and every list, or all that is cached; not even a failing system brings it back. */
  purge(skus: readonly string[] | null): void
  states(): Partial<Record<Source, BreakerState>>
  /** What is held by hand now. */
  holds(): Partial<Record<Source, Hold>>
  /** Holds a circuit open or closed, or lets it go. False: there is no such circuit. */
  hold(system: Source, hold: Hold | null): boolean
  readonly account: AccountOffice
  /** For the change feed. */
  readonly changes: ChangeOffice
  /** What these SKUs are at this moment; those that the inventory does not know are left out. Rejects with UpstreamError. */
  itemsNow(skus: readonly string[], live: Live): Promise<Map<string, ItemNow>>
  /** Rejects with UpstreamError, like the next. */
  quoteNow(question: QuoteQuestion, live: Live): Promise<Quote>
  taxesNow(skus: readonly string[], customerId: string, live: Live): Promise<Map<string, Tax>>
  /** The original of a picture. Rejects with UpstreamError. */
  picture(source: string, live: Live): Promise<Picture | null>
}

/** `null`: the inventory keeps no record of it. */
export interface ItemNow {
  product: Product | null
  banded: Banded | null
}

const seconds = (fresh: number, stale: number, lastGood: number): Freshness => ({
  freshMs: fresh * 1_000,
  staleMs: stale * 1_000,
  lastGoodMs: lastGood * 1_000,
})
export const freshness = {
  product: seconds(60, 300, 86_400),
  stock: seconds(10, 20, 3_600),
  price: seconds(30, 60, 3_600),
  tax: seconds(300, 600, 86_400),
  query: seconds(30, 120, 86_400),
} as const

/** How long a question waits for others to leave with it. */
const GATHER_MS = 1
/** Of the calls that a system takes at once, one in so many may be for pictures: they last longer than all others. */
const PICTURE_SHARE = 3
const PRODUCT = 'product\n'
const STOCK = 'stock\n'
const BOTH = { product: true, stock: true }

const skuIn = (id: string) => id.slice(id.indexOf('\n') + 1)

export function createBackOffice(parts: BackOfficeParts): BackOffice {
  const { owner, cache, inventory, pricing, accounting } = parts
  const now = parts.now ?? Date.now
  const today = dayIn(parts.timeZone)
  const expiries = createExpiries()
  const shared = { owner, cache, now }
  const bySkuTag = { expiries, tagOf: (sku: string) => sku }

  /** A promised day that came and went while the value was kept is no promise any more. */
  function current(filled: Filled<Banded>, day: string): Filled<Banded> {
    const eta = filled.value?.eta
    return eta && eta < day ? { ...filled, value: { band: 'OUT', eta: null } } : filled
  }

  /** The items of an answer as values to keep. The stock level ends here: a band goes on. */
  function valuesOf(items: readonly Item[]): Map<string, Product | Banded> {
    const day = today(new Date(now()))
    const values = new Map<string, Product | Banded>()
    for (const { sku, product, stock } of items) {
      if (product) values.set(PRODUCT + sku, product)
      if (!stock) continue
      const previous = itemLoader.lastGood('', STOCK + sku) as Banded | undefined | null
      values.set(STOCK + sku, bandOf(stock, previous?.band, parts.bands, day))
    }
    return values
  }

  const itemLoader = createLoader<Product | Banded>({
    ...shared,
    system: 'inventory',
    name: 'item',
    windowMs: GATHER_MS,
    maxIds: inventory?.port.maxSkus ?? 1,
    weightOf: skuIn,
    expiring: { expiries, tagOf: skuIn },
    freshnessOf: (id) => (id.startsWith(PRODUCT) ? freshness.product : freshness.stock),
    ask: (_group, ids, asker) => {
      const skus = new Set<string>()
      const wanted = { product: false, stock: false }
      for (const id of ids) {
        skus.add(skuIn(id))
        if (id.startsWith(PRODUCT)) wanted.product = true
        else wanted.stock = true
      }
      return guarded(inventory, 'items', 'catalog', asker, async (port, call) =>
        valuesOf(await port.items([...skus], wanted, call)),
      )
    },
  })

  const prices = createLoader<Price>({
    ...shared,
    system: 'pricing',
    name: 'price',
    windowMs: GATHER_MS,
    maxIds: pricing?.port.maxSkus ?? 1,
    freshnessOf: () => freshness.price,
    expiring: bySkuTag,
    ask: (customer, skus, asker) =>
      guarded(pricing, 'prices', 'catalog', asker, async (port, call) =>
        bySku((await port.prices(skus, customer || null, call)).map((price) => unchanged(customer, price))),
      ),
  })

  /** A price that is still what it was keeps its time: the same answer then has the same bytes, and one ETag. */
  function unchanged(customer: string, price: Price): Price {
    const before = prices.lastGood(customer, price.sku)
    return before && JSON.stringify({ ...before, as_of: price.as_of }) === JSON.stringify(price) ? before : price
  }

  const taxes = createLoader<Tax>({
    ...shared,
    system: 'accounting',
    name: 'tax',
    windowMs: GATHER_MS,
    maxIds: accounting?.port.maxSkus ?? 1,
    freshnessOf: () => freshness.tax,
    expiring: bySkuTag,
    ask: (customer, skus, asker) =>
      guarded(accounting, 'taxes', 'catalog', asker, async (port, call) =>
        bySku(await port.taxes(skus, customer || null, call)),
      ),
  })

  const comingSkus = createComingSkus()
  const pictureLine = pLimit(Math.max(1, Math.floor((inventory?.guard.limits.concurrency ?? 1) / PICTURE_SHARE)))
  const loaders: { part(): void }[] = [itemLoader, prices, taxes]

  /** A question that stands for itself: its parameters are its key. */
  function question<Q, V>(
    method: Exclude<keyof InventoryPort, 'items' | 'maxSkus' | 'watermarkOverlapSeconds'>,
    priority: Priority,
    ask: (port: Required<InventoryPort>, query: Q, call: Call) => Promise<V | null>,
  ) {
    const loader = createLoader<V>({
      ...shared,
      system: 'inventory',
      name: method,
      windowMs: 0,
      maxIds: 1,
      freshnessOf: () => freshness.query,
      expiring: { expiries, tagOf: () => LISTS },
      ask: (_group, [id], asker) =>
        guarded(inventory?.port[method] && inventory, method, priority, asker, async (port, call) => {
          const value = await ask(port as Required<InventoryPort>, JSON.parse(id!) as Q, call)
          return new Map(value === null ? [] : [[id!, value]])
        }),
    })
    loaders.push(loader)
    return (query: Q, asking: Asking) => loader.one('', JSON.stringify(query), asking)
  }

  /** `version`: of the expiries, when the page was asked for. */
  function keepItems(page: ItemPage, version: number): SkuPage {
    for (const [id, value] of valuesOf(page.items)) itemLoader.keep('', id, value, version)
    const newest = page.items.reduce(
      (latest, { product }) => Math.max(latest, Date.parse(product?.updated_at ?? '') || 0),
      0,
    )
    return { skus: page.items.map((item) => item.sku), newest, total: page.total, has_more: page.has_more }
  }

  const found = async (port: InventoryPort, query: ProductQuery, call: Call) => {
    const { version } = expiries
    return keepItems(
      await port.search(query, BOTH, call, (skus) => comingSkus.tell(JSON.stringify(query), skus)),
      version,
    )
  }
  const search = question<ProductQuery, SkuPage>('search', 'search', found)
  const vehicleItems = question<{ id: number; page: Page }, VehiclePage>(
    'vehicleItems',
    'catalog',
    async (port, { id, page }, call) => {
      const { version } = expiries
      const found = await port.vehicleItems(id, page, BOTH, call)
      const fitments = found.items.map((item) => item.fitment)
      return { ...keepItems(found, version), vehicle: found.vehicle, fitments }
    },
  )
  const categories = question<null, Category[]>('categories', 'catalog', (port, _, call) => port.categories(call))
  const tags = question<null, Tag[]>('tags', 'catalog', (port, _, call) => port.tags(call))
  const facet = question<VehicleFacetQuery, FacetValue[]>('vehicleFacet', 'catalog', (port, query, call) =>
    port.vehicleFacet(query, call),
  )
  const fitments = question<{ sku: string; page: Page }, SkuFitments>(
    'fitments',
    'catalog',
    (port, { sku, page }, call) => port.fitments(sku, page, call),
  )

  const fitting =
    parts.fitment &&
    createFitmentOffice({
      ...{ ...shared, expiries, freshness: freshness.query, fitment: parts.fitment },
      among: (query, asker) => guarded(inventory, 'search', 'search', asker, (port, call) => found(port, query, call)),
    })
  if (fitting) loaders.push(...fitting.loaders)

  const guards: { [S in Source]?: Guard | undefined } = {
    ...{ inventory: inventory?.guard, pricing: pricing?.guard },
    ...{ accounting: accounting?.guard, fitment: parts.fitment?.guard },
  }
  const ofEach = <T>(read: (guard: Guard) => T | undefined): Partial<Record<Source, T>> =>
    Object.fromEntries(
      Object.entries(guards).flatMap(([system, guard]) => {
        const found = guard && read(guard)
        return found === undefined ? [] : [[system, found]]
      }),
    )

  return {
    owner,
    watermarkOverlapSeconds: inventory?.port.watermarkOverlapSeconds ?? 0,
    today: () => today(new Date(now())),
    products: (skus, asking) =>
      itemLoader.load(
        '',
        skus.map((sku) => PRODUCT + sku),
        asking,
      ) as Promise<Filled<Product>[]>,
    async availability(skus, asking) {
      const ids = skus.map((sku) => STOCK + sku)
      const day = today(new Date(now()))
      return ((await itemLoader.load('', ids, asking)) as Filled<Banded>[]).map((filled) => current(filled, day))
    },
    prices: (skus, customerId, asking) => prices.load(customerId ?? '', skus, asking),
    taxes: (skus, customerId, asking) => taxes.load(customerId ?? '', skus, asking),
    search: (query, asking, coming) =>
      fitting && query.vehicle_id !== undefined
        ? fitting.vehicleItems({ ...query, vehicle_id: query.vehicle_id }, asking)
        : comingSkus.during(JSON.stringify(query), coming, () => search(query, asking)),
    categories: (asking) => categories(null, asking),
    tags: (asking) => tags(null, asking),
    vehicleFacet: fitting?.vehicleFacet ?? facet,
    vehicleItems: (id, page, asking) =>
      fitting ? fitting.vehicleItems({ vehicle_id: id, ...page }, asking) : vehicleItems({ id, page }, asking),
    fitments: fitting?.fitments ?? ((sku, page, asking) => fitments({ sku, page }, asking)),
    account: createAccountOffice({ ...shared, accounting }),
    changes: createChangeOffice({
      ...{ bands: parts.bands, today: () => today(new Date(now())) },
      ...(inventory && { inventory }),
      ...(pricing && { pricing }),
      ...(accounting && { accounting }),
    }),
    async itemsNow(skus, live) {
      const { version } = expiries
      const items = await askNow(
        inventory,
        { system: 'inventory', operation: 'items' },
        skus,
        live,
        (port, some, call) => port.items(some, BOTH, call),
      )
      const values = valuesOf(items)
      for (const [id, value] of values) itemLoader.keep('', id, value, version)
      const shown = items.map(({ sku }): [string, ItemNow] => {
        const product = (values.get(PRODUCT + sku) as Product | undefined) ?? null
        return [sku, { product, banded: (values.get(STOCK + sku) as Banded | undefined) ?? null }]
      })
      return new Map(shown)
    },
    quoteNow(query, live) {
      if (!pricing?.port.quote)
        return Promise.reject(new UpstreamError('not_configured', 'pricing quotes no carts', { system: 'pricing' }))
      const asked = { system: 'pricing', operation: 'quote' } as const
      return runLive(asked, pricing.guard, live, (call) => pricing.port.quote!(query, call))
    },
    async picture(source, live) {
      if (!inventory?.port.picture)
        throw new UpstreamError('not_configured', 'the inventory hands out no pictures', { system: 'inventory' })
      const { port, guard } = inventory
      const asked = { system: 'inventory', operation: 'picture' } as const
      return pictureLine(() => runLive(asked, guard, live, (call) => port.picture!(source, call)))
    },
    taxesNow: async (skus, customerId, live) =>
      bySku(
        await askNow(accounting, { system: 'accounting', operation: 'taxes' }, skus, live, (port, some, call) =>
          port.taxes(some, customerId, call),
        ),
      ),
    expire(skus, lists) {
      expiries.expire(lists ? [...skus, LISTS] : skus)
      for (const loader of loaders) loader.part()
    },
    purge(skus) {
      if (skus === null) cache.clear(owner)
      expiries.purge(skus && [...skus, LISTS])
      for (const loader of loaders) loader.part()
    },
    states: () => ofEach((guard) => guard.state),
    holds: () => ofEach((guard) => guard.held ?? undefined),
    hold(system, hold) {
      guards[system]?.hold(hold)
      return guards[system] !== undefined
    },
  }
}

function guarded<P, T>(
  system: Guarded<P> | undefined,
  operation: string,
  priority: Priority,
  { requestId, trail }: Asker,
  work: (port: P, call: Call) => Promise<T>,
): Running<T> {
  if (!system) return unasked(new UpstreamError('not_configured', 'not there'))
  return system.guard.run({
    requestId,
    trail,
    operation,
    priority,
    read: true,
    work: (call) => work(system.port, call),
  })
}

/** In as many questions as the system's page needs, at once. */
async function askNow<P extends { readonly maxSkus: number }, T>(
  system: Guarded<P> | undefined,
  asked: { system: System; operation: string },
  skus: readonly string[],
  live: Live,
  ask: (port: P, skus: readonly string[], call: Call) => Promise<T[]>,
): Promise<T[]> {
  if (!system) throw new UpstreamError('not_configured', 'not there', { system: asked.system })
  const { port, guard } = system
  const pages = Array.from({ length: Math.ceil(skus.length / port.maxSkus) }, (_, page) =>
    skus.slice(page * port.maxSkus, (page + 1) * port.maxSkus),
  )
  const answers = pages.map((some) => runLive(asked, guard, live, (call) => ask(port, some, call)))
  return (await Promise.all(answers)).flat()
}

function bySku<T extends { sku: string }>(rows: readonly T[]): Map<string, T> {
  return new Map(rows.map((row) => [row.sku, row]))
}
