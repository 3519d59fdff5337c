import { type StockAvailability, summarizeAvailability } from '../../catalog/availability-bands.ts'
import type { ProductListItem } from '../../contract/catalog/product.ts'
import type { Tax } from '../../ports/accounting.ts'
import type { Product } from '../../ports/inventory.ts'
import type { Price } from '../../ports/pricing.ts'
import { toPriceInfo } from './to-price-info.ts'

/** Returns a product as a list shows it. Members are listed one by one, so that no other upstream data gets into the response. */
export function toProductListItem(
  product: Product,
  price: Price | null,
  tax: Tax | null,
  availability: StockAvailability | null,
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
    price: price && toPriceInfo(price, currency),
    tax: tax && { code: tax.code, name: tax.name, rate: tax.rate },
    availability: availability && summarizeAvailability(availability),
    cover: media[0] ?? null,
    media,
    categories: product.categories,
    tags: product.tags,
    variant_of: product.variant_of ?? null,
    options: product.options ?? [],
    uom: product.uom,
    active: product.active,
    updated_at: product.updated_at,
  }
}
