import type { StockAvailability } from '../../catalog/availability-bands.ts'
import type { ProductListItem } from '../../contract/product.ts'
import { UpstreamError } from '../../errors.ts'
import type { Tax } from '../../ports/accounting.ts'
import type { Product } from '../../ports/inventory.ts'
import type { Price } from '../../ports/pricing.ts'
import { columnSection, optional, type Section, valueSection } from '../../sections/section.ts'
import type { BackOffice } from '../../upstream/back-office.ts'
import type { RequestScope } from '../../upstream/request-scope.ts'

/** A product as a grid shows it. Members are named one by one: nothing else of an upstream's answer can come through. */
export function toProductListItem(
  product: Product,
  price: Price | null,
  tax: Tax | null,
  banded: StockAvailability | null,
  currency: string,
): ProductListItem {
  const media = product.media ?? []
  return {
    sku: product.sku,
    name: product.name,
    slug: product.slug,
    brand: product.brand,
    mpn: product.mpn,
    barcode: product.barcode,
    price: price && priceInfo(price, currency),
    tax: tax && { code: tax.code, name: tax.name, rate: tax.rate },
    availability: banded && { band: banded.band, eta: banded.eta },
    cover: media[0] ?? null,
    media,
    categories: product.categories,
    tags: product.tags,
    uom: product.uom,
    active: product.active,
    updated_at: product.updated_at,
  }
}

function priceInfo(price: Price, currency: string): ProductListItem['price'] {
  return {
    amount: price.amount,
    currency,
    price_type: price.price_type,
    list_amount: price.list_amount,
    tax_included: price.tax_included,
    uom: price.uom,
    breaks: price.breaks,
    as_of: price.as_of,
  }
}

/** The sections that stand beside a list of products, one value a row. */
export function priceAndAvailabilitySections(
  backOffice: BackOffice,
  skus: readonly string[],
  customerId: string | null,
  requestScope: RequestScope,
) {
  return {
    ...priceSections(backOffice, skus, customerId, requestScope),
    ...availabilitySection(backOffice, skus, requestScope),
  }
}

export function priceSections(
  backOffice: BackOffice,
  skus: readonly string[],
  customerId: string | null,
  requestScope: RequestScope,
) {
  return {
    price: optional(backOffice.prices(skus, customerId, requestScope).then(columnSection)),
    tax: optional(backOffice.taxes(skus, customerId, requestScope).then(columnSection)),
  }
}

export const availabilitySection = (backOffice: BackOffice, skus: readonly string[], requestScope: RequestScope) => ({
  availability: optional(backOffice.availability(skus, requestScope).then(columnSection)),
})

/** The media section of products that are at hand: an adapter that reads no media says so with `null`. */
export function mediaSection(products: readonly (Product | null)[]): Promise<Section<null>> {
  const missing = products.some((product) => product?.media === null)
  return Promise.resolve(
    valueSection<null>({ value: null, error: missing ? new UpstreamError('not_configured', 'media') : null, asOf: 0 }),
  )
}
