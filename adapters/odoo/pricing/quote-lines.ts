import { Decimal } from 'decimal.js'
import type { QuotedLine, QuoteRequest } from '../../../src/ports/pricing.ts'
import { formatDecimal } from '../../decimal-format.ts'
import { computeCartTaxes, type TaxedLine } from './cart-taxes.ts'
import { isWithoutTax } from './combined-tax.ts'
import type { Pricing } from './price-reader.ts'
import type { PricedProduct } from './priced-product.ts'

/** Prices each line at the quantity of its SKU over all lines. */
export function quoteLines(
  lines: QuoteRequest['lines'],
  products: readonly PricedProduct[],
  zero: string,
): QuotedLine[] {
  const bySku = new Map(products.map((product) => [product.sku, product]))
  const quantities = new Map<string, Decimal>()
  for (const { sku, quantity } of lines) quantities.set(sku, (quantities.get(sku) ?? new Decimal(0)).plus(quantity))
  // A cart has prices with tax, or without; goods without any tax can be among either.
  const isIncluded = lines.some(({ sku }) => hasIncludedTax(bySku.get(sku)))
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
        tax_included: isWithoutTax(product.tax) ? isIncluded : product.tax.isIncluded,
        discount: zero,
        tax: { code: product.tax.code, name: product.tax.name, rate: formatDecimal(product.tax.rate) },
      },
    ]
  })
}

const hasIncludedTax = (product: PricedProduct | undefined) =>
  Boolean(product?.tax?.isIncluded && !isWithoutTax(product.tax))

/** Returns the lines of a quote with the taxes of their products. `percents` are the percentages off, and `unitPrices` the prices in Odoo, by line id. */
export function toTaxedLines(
  lines: readonly QuotedLine[],
  quantities: ReadonlyMap<string, string>,
  percents: ReadonlyMap<string, string>,
  products: readonly PricedProduct[],
  unitPrices: ReadonlyMap<string, string> = new Map(),
): TaxedLine[] {
  const taxes = new Map(products.map(({ sku, tax }) => [sku, tax]))
  return lines.map(({ line_id, sku, unit_price }) => {
    const share = new Decimal(100).minus(percents.get(line_id) ?? 0).div(100)
    return {
      price: share.times(unitPrices.get(line_id) ?? unit_price),
      quantity: quantities.get(line_id)!,
      tax: taxes.get(sku)!,
    }
  })
}

/** Adds the tax of each line after its discount, unless every tax is the rate of its line. */
export function addTaxAmounts(
  lines: readonly QuotedLine[],
  quantities: ReadonlyMap<string, string>,
  percents: ReadonlyMap<string, string>,
  { products, rounding }: Pick<Pricing, 'products' | 'rounding'>,
  unitPrices: ReadonlyMap<string, string> = new Map(),
): QuotedLine[] {
  const taxed = toTaxedLines(lines, quantities, percents, products, unitPrices)
  if (!rounding.isGlobal && taxed.every(({ tax }) => tax.isRate)) return [...lines]
  const amounts = computeCartTaxes(taxed, rounding)
  return lines.map((line, i) => ({ ...line, tax: { ...line.tax!, amount: amounts[i]!.toFixed(rounding.digits) } }))
}
