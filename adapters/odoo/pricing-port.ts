import type { Call } from '../../src/ports/call.ts'
import type { Price, PricingPort, QuoteRequest } from '../../src/ports/pricing.ts'
import { formatDecimal } from '../decimal-format.ts'
import { LATE_COMMIT_SECONDS } from './client/late-commit.ts'
import type { OdooContext } from './context.ts'
import { createPriceChangeFeed } from './pricing/price-changes.ts'
import type { PricedProduct } from './pricing/priced-product.ts'
import { withoutMixedTax } from './pricing/prices-without-tax.ts'

const MAX_SKUS = 200

export function connectPricing(context: OdooContext, isAccounting: boolean): PricingPort {
  const { readPricing, facts } = context
  return {
    maxSkus: MAX_SKUS,
    quotesTaxes: isAccounting,
    watermarkOverlapSeconds: LATE_COMMIT_SECONDS,
    async prices(skus, customerId, call) {
      const [{ products, rounding }, { units }] = await Promise.all([
        readPricing(skus, customerId, call),
        context.readCatalogTables(call),
      ])
      const asOf = facts.now().toISOString()
      return products.flatMap((product) =>
        toPrice(
          withoutMixedTax(product, rounding.digits),
          customerId !== null,
          units.get(product.unitId)?.name ?? 'Units',
          asOf,
        ),
      )
    },
    async quote({ customerId, lines, codes }: QuoteRequest, call: Call) {
      const pricing = await readPricing([...new Set(lines.map(({ sku }) => sku))], customerId, call)
      const quote = await context.quotePromotions({ lines, codes }, pricing, call)
      return { lines: quote.lines, promotions: quote.promotions, as_of: facts.now().toISOString() }
    },
    priceChanges: createPriceChangeFeed(context),
  }
}

/** Returns the price of a SKU, or nothing without one. The price is that of one unit; a quantity at which nothing changes is not a break. */
function toPrice(product: PricedProduct, isCustomer: boolean, uom: string, as_of: string): Price[] {
  const { sku, listPrice, tax } = product
  const single = product.priceAt(1)
  if (single === null || tax === null) return []
  const steps = product.breaks
    .filter((quantity) => quantity > 1)
    .flatMap((quantity) => {
      const price = product.priceAt(quantity)
      return price ? [{ min_quantity: formatDecimal(quantity), amount: price.amount, isRuled: price.isRuled }] : []
    })
  const breaks = steps.filter(({ amount }, i) => amount !== (steps[i - 1]?.amount ?? single.amount))
  const isContract = isCustomer && (single.isRuled || breaks.length > 0)
  return [
    {
      sku,
      amount: single.amount,
      price_type: isContract ? 'CONTRACT' : 'LIST',
      list_amount: listPrice ?? single.amount,
      tax_included: tax.isIncluded,
      uom,
      breaks: breaks.map(({ min_quantity, amount }) => ({ min_quantity, amount })),
      as_of,
    },
  ]
}
