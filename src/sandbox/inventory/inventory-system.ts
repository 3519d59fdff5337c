import { HttpError } from '../http/http-error.ts'
import { changePage } from '../storage/change-page.ts'
import type { DocumentStore } from '../storage/document-store.ts'
import { paginate } from '../storage/paginate.ts'
import type { SystemAccount } from '../system-account.ts'
import { type CatalogEntry, openCatalogStore, type StoredProduct, type StoredStock } from './catalog-store.ts'
import { filterProducts, type ProductFilter } from './filter-products.ts'
import { readOriginalPicture } from './original-pictures.ts'
import { toProtocolProduct } from './protocol-product.ts'
import { countVehicleFacet } from './vehicle-facet-counts.ts'
import { openVehicleFitments, type StoredFitment } from './vehicle-fitments.ts'

/** The inventory system of one account. `address` returns the base URL of published pictures. */
export function openInventorySystem(
  store: DocumentStore,
  now: () => Date,
  address: () => string,
): SystemAccount<'inventory'> {
  const catalog = openCatalogStore(store, now)
  const fitments = openVehicleFitments(store)
  const tags = [...store.all<{ tag: string; name: string }>('tags').values()]

  const responses = new WeakMap<StoredProduct, ReturnType<typeof toProtocolProduct>>()
  const toResponse = (product: StoredProduct) => {
    const response = responses.get(product) ?? toProtocolProduct(product, catalog.categories, address())
    responses.set(product, response)
    return response
  }
  const itemOf = ({ product }: CatalogEntry, include: readonly string[]) => ({
    sku: product.sku,
    ...(include.includes('product') && { product: toResponse(product) }),
    ...(include.includes('stock') && { stock: toStockResponse(catalog.stock(product.sku)) }),
  })
  const requireEntry = (sku: string): CatalogEntry => {
    const entry = catalog.entry(sku)
    if (!entry) throw new HttpError(404, 'not_found', 'the SKU does not exist')
    return entry
  }

  return {
    handlers: {
      readHealth: () => ({ status: 'ok' }),
      searchProducts({ query: { vehicle_id, limit, offset, include, ...rest } }) {
        const filter: ProductFilter = rest
        checkTimestamp('query', rest)
        if (vehicle_id !== undefined) {
          const parts = fitments.partsFor(vehicle_id)
          const exists = fitments.vehicle(vehicle_id) !== undefined
          filter.matches = ({ product }) => exists && (product.universal || parts.has(product.sku))
        }
        const page = paginate(filterProducts(catalog.entries(), filter), limit, offset)
        const data = page.rows.map((entry) => itemOf(entry, parseInclude(include)))
        return { data, total: page.total, has_more: page.has_more }
      },
      searchProductsAmong({ body: { skus, limit, offset, include, ...rest } }) {
        checkTimestamp('body', rest)
        const skuSet = new Set(skus)
        const fits = ({ product }: CatalogEntry) => skuSet.has(product.sku)
        const page = paginate(filterProducts(catalog.entries(), { ...rest, matches: fits }), limit, offset)
        const data = page.rows.map((entry) => itemOf(entry, include))
        return { data, total: page.total, has_more: page.has_more }
      },
      lookupProducts: ({ body: { skus, include } }) => ({
        data: [...new Set(skus)].flatMap((sku) => {
          const entry = catalog.entry(sku)
          return entry ? [itemOf(entry, include)] : []
        }),
      }),
      listCategories() {
        const counts = countActiveBy(catalog.entries(), (entry) => entry.categories)
        const data = [...catalog.categories.values()].map((category) => ({
          ...category,
          product_count: counts.get(category.category_id) ?? 0,
        }))
        return { data }
      },
      listTags() {
        const counts = countActiveBy(catalog.entries(), (entry) => entry.product.tags)
        return { data: tags.map(({ tag, name }) => ({ tag, name, count: counts.get(tag) ?? 0 })) }
      },
      listVehicleFacet: ({ query }) => ({ data: countVehicleFacet(fitments.vehicles(), query) }),
      listVehicleProducts({ params: { vehicle_id }, query: { limit, offset, include } }) {
        const vehicle = fitments.vehicle(vehicle_id)
        if (!vehicle) throw new HttpError(404, 'not_found', 'the vehicle does not exist')
        const parts = fitments.partsFor(vehicle_id)
        const fits = ({ product }: CatalogEntry) => product.universal || parts.has(product.sku)
        const page = paginate(filterProducts(catalog.entries(), { matches: fits }), limit, offset)
        const data = page.rows.map((entry) => {
          const fitment = { ...toFitmentResponse(parts.get(entry.product.sku)), universal: entry.product.universal }
          return { ...itemOf(entry, parseInclude(include)), fitment }
        })
        return { vehicle, data, total: page.total, has_more: page.has_more }
      },
      listFitments({ params: { sku }, query: { limit, offset } }) {
        const { universal } = requireEntry(sku).product
        const page = paginate(fitments.vehiclesFor(sku), limit, offset)
        const data = page.rows.map(({ vehicle, fitment }) => ({ ...vehicle, ...toFitmentResponse(fitment) }))
        return { universal, data, total: page.total, has_more: page.has_more }
      },
      readPicture({ params: { media_id } }) {
        const pictures = catalog.entries().flatMap(({ product }) => product.media)
        const picture = pictures.find((each) => each.media_id === media_id)
        if (!picture?.original) throw new HttpError(404, 'not_found', 'the picture does not exist, or has no original')
        return readOriginalPicture(picture.original)
      },
      listStockChanges({ query }) {
        const rows = [...catalog.stocks()].map(([sku, { updated_at, ...stock }]) => ({ sku, updated_at, stock }))
        return changePage(rows, ({ sku }) => sku, query)
      },
    },
    controlChanges: {
      products(sku, body) {
        const { media, ...members } = body as Omit<Partial<StoredProduct>, 'media'> & { media?: string[] }
        const { product } = requireEntry(sku)
        const chosen = media?.map((id) => product.media.find(({ media_id }) => media_id === id))
        if (chosen?.some((picture) => picture === undefined))
          throw new HttpError(400, 'bad_request', 'body/media: the product has no such picture')
        const pictures = chosen as StoredProduct['media'] | undefined
        return catalog.change(sku, { ...members, ...(pictures && { media: pictures }) })
      },
      stock(sku, body) {
        requireEntry(sku)
        return catalog.setStock(sku, body as Partial<StoredStock>)
      },
    },
    controlReads: { products: (sku) => requireEntry(sku ?? '').product },
  }
}

function checkTimestamp(location: string, { updated_since }: ProductFilter): void {
  if (Number.isNaN(Date.parse(updated_since ?? '2000-01-01')))
    throw new HttpError(400, 'bad_request', `${location}/updated_since: not a valid date-time`)
}

function parseInclude(include: string | undefined): string[] {
  return include?.split(',') ?? ['product', 'stock']
}

/** Stock without its change time. */
function toStockResponse(stock: StoredStock | null) {
  if (!stock) return null
  const { updated_at, ...response } = stock
  return response
}

function toFitmentResponse(fitment: StoredFitment | undefined) {
  const { positions = [], quantity = null, notes = null, qualifiers = [] } = fitment ?? {}
  return { positions, quantity, notes, qualifiers }
}

function countActiveBy(
  entries: readonly CatalogEntry[],
  keysOf: (entry: CatalogEntry) => Iterable<string>,
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const entry of entries) {
    if (!entry.product.active) continue
    for (const key of keysOf(entry)) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}
