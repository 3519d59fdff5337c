const COLUMNS = ['product', 'price', 'tax', 'availability', 'price_as_of', 'stock_as_of'] as const
export type ProductColumns = Record<(typeof COLUMNS)[number], string | null>

/** The columns of a mirror's products from which {@link toProductJson} makes a product. */
export const PRODUCT_COLUMNS = COLUMNS.join(', ')

/** Returns JSON of a `MirrorProduct`, without parsing its parts. */
export function toProductJson({ product, price, tax, availability, price_as_of, stock_as_of }: ProductColumns): string {
  const parts = [`"product":${product}`]
  if (price !== null) parts.push(`"price":${price}`)
  if (tax !== null) parts.push(`"tax":${tax}`)
  if (availability !== null) parts.push(`"availability":${availability}`)
  parts.push(`"price_as_of":${JSON.stringify(price_as_of)},"stock_as_of":${JSON.stringify(stock_as_of)}`)
  return `{${parts.join(',')}}`
}
