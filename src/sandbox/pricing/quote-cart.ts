import type { Decimal } from 'decimal.js'
import { ExactDecimal, formatAmount, roundToCents, sumAmounts } from '../money.ts'
import type { OperationHandlers } from '../protocol/operation-handlers.ts'
import { applyPromotions, type StoredPromotion } from './apply-promotions.ts'
import type { PriceStore, PricingCustomer, StoredPrice } from './price-store.ts'

type QuoteInput = Parameters<OperationHandlers<'pricing'>['quoteCart']>[0]['body']
type QuoteResponse = ReturnType<OperationHandlers<'pricing'>['quoteCart']>

/** Prices a cart: contract or list prices with their breaks, then promotions. */
export function quoteCart(
  { customer_id, lines, codes }: QuoteInput,
  prices: PriceStore,
  promotions: ReadonlyMap<string, StoredPromotion>,
  now: Date,
): QuoteResponse {
  const customer = prices.requireCustomer(customer_id)
  const quantities = new Map(
    [...Map.groupBy(lines, ({ sku }) => sku)].map(([sku, group]) => [
      sku,
      sumAmounts(group.map(({ quantity }) => quantity)),
    ]),
  )
  const priced = lines.flatMap(({ line_id, sku, quantity }) => {
    const price = priceOf(prices, sku, quantities.get(sku)!, customer)
    if (!price) return []
    return [{ ...price, line_id, sku, gross: roundToCents(price.unit.times(quantity)), discount: new ExactDecimal(0) }]
  })
  const promotionResults = applyPromotions(codes, priced, customer, promotions)
  return {
    lines: priced.map(({ line_id, sku, unit, list_unit_price, price_type, discount }) => ({
      line_id,
      sku,
      unit_price: unit.toFixed(Math.max(2, unit.decimalPlaces())),
      list_unit_price,
      price_type,
      tax_included: false,
      discount: formatAmount(discount),
    })),
    promotions: promotionResults,
    as_of: now.toISOString(),
  }
}

function priceOf(prices: PriceStore, sku: string, quantity: Decimal, customer: PricingCustomer) {
  const list = prices.findListPrice(sku)
  if (!list) return undefined
  const contract = prices.findContractPrice(sku, customer)
  return {
    unit: priceAtQuantity(contract ?? list, quantity),
    list_unit_price: list.amount,
    price_type: contract ? ('CONTRACT' as const) : ('LIST' as const),
  }
}

/** The last break that the quantity reaches; breaks rise. */
function priceAtQuantity({ amount, breaks }: StoredPrice, quantity: Decimal): Decimal {
  return new ExactDecimal(breaks.findLast(({ min_quantity }) => quantity.gte(min_quantity))?.amount ?? amount)
}
