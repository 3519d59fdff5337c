import { HttpError } from '../http/http-error.ts'
import type { AccountSystem } from '../protocol/operation-handlers.ts'
import { changePage } from '../storage/change-page.ts'
import type { DocumentStore } from '../storage/document-store.ts'
import { type CatalogEntry, openCatalogStore, type StoredProduct, type StoredStock } from './catalog-store.ts'
import { readOriginalPicture } from './original-pictures.ts'
import { filterProducts, type ProductFilter, paginate } from './product-search.ts'
import { toProtocolProduct } from './protocol-product.ts'
import { countVehicleFacet } from './vehicle-facet-counts.ts'
import { openVehicleFitments, type StoredFitment } from './vehicle-fitments.ts'

/** The inventory system of one account. `address` is where its pictures are published. */
export function openInventorySystem(
  store: DocumentStore,
  now: () => Date,
  address: () => string,
): AccountSystem<'inventory'> {
  const catalogue = openCatalogStore(store, now)
  const garage = openVehicleFitments(store)
  const tags = [...store.all<{ tag: string; name: string }>('tags').values()]

  const published = new WeakMap<StoredProduct, ReturnType<typeof toProtocolProduct>>()
  const publish = (product: StoredProduct) => {
    const made = published.get(product) ?? toProtocolProduct(product, catalogue.categories, address())
    published.set(product, made)
    return made
  }
  const itemOf = ({ product }: CatalogEntry, include: readonly string[]) => ({
    sku: product.sku,
    ...(include.includes('product') && { product: publish(product) }),
    ...(include.includes('stock') && { stock: shelfOf(catalogue.stock(product.sku)) }),
  })
  const known = (sku: string): CatalogEntry => {
    const entry = catalogue.entry(sku)
    if (!entry) throw new HttpError(404, 'not_found', 'there is no such SKU')
    return entry
  }

  return {
    handlers: {
      readHealth: () => ({ status: 'ok' }),
      searchProducts({ query: { vehicle_id, limit, offset, include, ...rest } }) {
        const wanted: ProductFilter = rest
        checkMoment('query', rest)
        if (vehicle_id !== undefined) {
          const parts = garage.partsFor(vehicle_id)
          const exists = garage.vehicle(vehicle_id) !== undefined
          wanted.fits = ({ product }) => exists && (product.universal || parts.has(product.sku))
        }
        const page = paginate(filterProducts(catalogue.entries(), wanted), limit, offset)
        const data = page.rows.map((entry) => itemOf(entry, partsIn(include)))
        return { data, total: page.total, has_more: page.has_more }
      },
      searchProductsAmong({ body: { skus, limit, offset, include, ...rest } }) {
        checkMoment('body', rest)
        const among = new Set(skus)
        const fits = ({ product }: CatalogEntry) => among.has(product.sku)
        const page = paginate(filterProducts(catalogue.entries(), { ...rest, fits }), limit, offset)
        const data = page.rows.map((entry) => itemOf(entry, include))
        return { data, total: page.total, has_more: page.has_more }
      },
      lookupProducts: ({ body: { skus, include } }) => ({
        data: [...new Set(skus)].flatMap((sku) => {
          const entry = catalogue.entry(sku)
          return entry ? [itemOf(entry, include)] : []
        }),
      }),
      listCategories() {
        const counts = countsBy(catalogue.entries(), (entry) => entry.categories)
        const data = [...catalogue.categories.values()].map((category) => ({
          ...category,
          product_count: counts.get(category.category_id) ?? 0,
        }))
        return { data }
      },
      listTags() {
        const counts = countsBy(catalogue.entries(), (entry) => entry.product.tags)
        return { data: tags.map(({ tag, name }) => ({ tag, name, count: counts.get(tag) ?? 0 })) }
      },
      listVehicleFacet: ({ query }) => ({ data: countVehicleFacet(garage.vehicles(), query) }),
      listVehicleProducts({ params: { vehicle_id }, query: { limit, offset, include } }) {
        const vehicle = garage.vehicle(vehicle_id)
        if (!vehicle) throw new HttpError(404, 'not_found', 'there is no such vehicle')
        const parts = garage.partsFor(vehicle_id)
        const fits = ({ product }: CatalogEntry) => product.universal || parts.has(product.sku)
        const page = paginate(filterProducts(catalogue.entries(), { fits }), limit, offset)
        const data = page.rows.map((entry) => {
          const fitment = { ...fittingOf(parts.get(entry.product.sku)), universal: entry.product.universal }
          return { ...itemOf(entry, partsIn(include)), fitment }
        })
        return { vehicle, data, total: page.total, has_more: page.has_more }
      },
      listFitments({ params: { sku }, query: { limit, offset } }) {
        const { universal } = known(sku).product
        const page = paginate(garage.vehiclesFor(sku), limit, offset)
        const data = page.rows.map(({ vehicle, fitment }) => ({ ...vehicle, ...fittingOf(fitment) }))
        return { universal, data, total: page.total, has_more: page.has_more }
      },
      readPicture({ params: { media_id } }) {
        const pictures = catalogue.entries().flatMap(({ product }) => product.media)
        const found = pictures.find((picture) => picture.media_id === media_id)
        if (!found?.original) throw new HttpError(404, 'not_found', 'there is no such picture to be had here')
        return readOriginalPicture(found.original)
      },
      listStockChanges({ query }) {
        const rows = [...catalogue.stocks()].map(([sku, { updated_at, ...stock }]) => ({ sku, updated_at, stock }))
        return changePage(rows, ({ sku }) => sku, query)
      },
    },
    changes: {
      products(sku, body) {
        const { media, ...members } = body as Omit<Partial<StoredProduct>, 'media'> & { media?: string[] }
        const { product } = known(sku)
        const shown = media?.map((id) => product.media.find(({ media_id }) => media_id === id))
        if (shown?.some((picture) => picture === undefined))
          throw new HttpError(400, 'bad_request', 'body/media: names a picture that it does not have')
        const pictures = shown as StoredProduct['media'] | undefined
        return catalogue.change(sku, { ...members, ...(pictures && { media: pictures }) })
      },
      stock(sku, body) {
        known(sku)
        return catalogue.setStock(sku, body as Partial<StoredStock>)
      },
    },
    reads: { products: (sku) => known(sku ?? '').product },
  }
}

function checkMoment(place: string, { updated_since }: ProductFilter): void {
  if (Number.isNaN(Date.parse(updated_since ?? '2000-01-01')))
    throw new HttpError(400, 'bad_request', `${place}/updated_since: no such moment`)
}

function partsIn(include: string | undefined): string[] {
  return include?.split(',') ?? ['product', 'stock']
}

/** What is on the shelf and on its way, without when that changed. */
function shelfOf(stock: StoredStock | null) {
  return stock && { available: stock.available, expected: stock.expected }
}

function fittingOf(fitment: StoredFitment | undefined) {
  const { positions = [], quantity = null, notes = null, qualifiers = [] } = fitment ?? {}
  return { positions, quantity, notes, qualifiers }
}

function countsBy(
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
