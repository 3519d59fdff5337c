import { Decimal } from 'decimal.js'
import type { QuotedLine, QuoteRequest } from '../../../src/ports/pricing.ts'
import { formatDecimal } from '../../decimal-format.ts'
import type { PricedProduct } from './price-reader.ts'

/** Prices each line at the quantity of its SKU over all lines. */
export function quoteLines(
  lines: QuoteRequest['lines'],
  products: readonly PricedProduct[],
  zero: string,
): QuotedLine[] {
  const bySku = new Map(products.map((product) => [product.sku, product]))
  const quantities = new Map<string, Decimal>()
  for (const { sku, quantity } of lines) quantities.set(sku, (quantities.get(sku) ?? new Decimal(0)).plus(quantity))
  return lines.flatMap(({ line_id, sku }): QuotedLine[] => {
    const product = bySku.get(sku)
    const price = product?.isOnSale ? product.priceAt(quantities.get(sku)!) : null
    if (!product?.tax || !price) return []
    return [
      {
        line_id,
        sku,
        unit_price: price.amount,
        list_unit_price: product.listPrice ?? price.amount,
        price_type: price.isRuled ? 'CONTRACT' : 'LIST',
        tax_included: product.tax.isIncluded,
        discount: zero,
        tax: { code: product.tax.code, name: product.tax.name, rate: formatDecimal(product.tax.rate) },
      },
    ]
  })
}
