import type { PriceLines } from '../../catalog/mirror/file/packed-product.ts'
import type { ProductJson } from '../../catalog/mirror/read/product-json.ts'
import type { ApiRequest } from '../../http/route.ts'
import type { SourceName } from '../../ports/system.ts'
import type { SectionTrace } from '../../sections/section-trace.ts'

/** Returns the JSON of the items of a list, without brackets. Text is added to text: an array's `join` would copy all of it once more. */
export function joinListItems(products: readonly ProductJson[], currency: string): string {
  let items = ''
  for (const product of products)
    items += items === '' ? joinListItem(product, currency) : `,${joinListItem(product, currency)}`
  return items
}

/** Returns the JSON of `toProductListItem`, joined of texts of the mirror. */
const joinListItem = (product: ProductJson, currency: string): string =>
  `{"sku":${JSON.stringify(product.sku)},"name":${product.name},"slug":${product.slug},${joinSharedMembers(product, currency)}}`

/** Returns the JSON of a product page, up to `order_uoms` and without its closing brace. */
export const joinProductPage = (product: ProductJson, currency: string): string =>
  `{"sku":${JSON.stringify(product.sku)},"name":${product.name},"slug":${product.slug},"description":${product.description},${joinSharedMembers(product, currency)},"order_uoms":${product.order_uoms}`

function joinSharedMembers(product: ProductJson, currency: string): string {
  const { brand, mpn, barcode, price, tax, availability, cover, categories, tags, uom, updated_at } = product
  const { variant_of, options } = product
  return (
    `"brand":${brand},"mpn":${mpn},"barcode":${barcode},"price":${price ? joinPrice(price, currency) : 'null'}` +
    `,"tax":${tax},"availability":${availability},"cover":${cover},"media":${joinMedia(product)}` +
    `,"categories":${categories},"tags":${tags},"variant_of":${variant_of},"options":${options},"uom":${uom},"active":true,"updated_at":${updated_at}`
  )
}

/** Returns the JSON of `toPriceInfo`. */
const joinPrice = (price: PriceLines, currency: string): string =>
  `{"amount":${price.amount},"currency":"${currency}","price_type":${price.price_type},"list_amount":${price.list_amount}` +
  `,"tax_included":${price.tax_included},"uom":${price.uom},"breaks":${price.breaks},"as_of":${price.as_of}}`

function joinMedia({ cover, pictures }: ProductJson): string {
  if (cover === 'null') return '[]'
  return pictures === '[]' ? `[${cover}]` : `[${cover},${pictures.slice(1)}`
}

type MirroredSection = readonly [name: string, system: SourceName | null]

const ROW_SECTIONS: readonly MirroredSection[] = [
  ['price', 'pricing'],
  ['tax', 'accounting'],
  ['availability', 'inventory'],
  ['media', null],
]
export const CHANGE_SECTIONS: readonly MirroredSection[] = [['data', 'inventory'], ...ROW_SECTIONS]
export const LIST_SECTIONS: readonly MirroredSection[] = [['data', 'inventory'], ...CHANGE_SECTIONS]
export const PAGE_SECTIONS: readonly MirroredSection[] = [
  ['product', 'inventory'],
  ...ROW_SECTIONS,
  ['references', 'references'],
]

/** Returns the traces of sections that the mirror has filled at once. `startedAt`: a time of `performance.now()`. */
export function traceMirrored(sections: readonly MirroredSection[], startedAt: number): SectionTrace[] {
  const ms = Math.round((performance.now() - startedAt) * 10) / 10
  return sections.map(([name, system]) => ({ name, ms, ...FILLED, system, ...(system && MIRRORED) }))
}

const FILLED = { outcome: 'ok', system: null, code: null, staleAsOf: null, cause: null, simulated: false } as const
const MIRRORED = { mirrored: true } as const

/** Spans of sections are recorded where these are read one by one. */
export const hasTexts = ({ customerId, requestScope }: Pick<ApiRequest, 'customerId' | 'requestScope'>): boolean =>
  customerId === null && requestScope.recorder?.section === undefined
