import type { Decimal } from 'decimal.js'
import { ExactDecimal, formatAmount, roundToCents, sumAmounts } from '../money.ts'
import type { OperationHandlers } from '../protocol/operation-handlers.ts'
import { applyPromotions, type StoredPromotion } from './apply-promotions.ts'
import type { PriceStore, PricingCustomer, StoredPrice } from './price-store.ts'

type Ask = Parameters<OperationHandlers<'pricing'>['quoteCart']>[0]['body']
type Answer = ReturnType<OperationHandlers<'pricing'>['quoteCart']>

/** What a cart costs a customer: contract or list prices with their breaks, then promotions. */
export function quoteCart(
  { customer_id, lines, codes }: Ask,
  book: PriceStore,
  promotions: ReadonlyMap<string, StoredPromotion>,
  now: Date,
): Answer {
  const customer = book.customer(customer_id)
  const quantities = new Map(
    [...Map.groupBy(lines, ({ sku }) => sku)].map(([sku, same]) => [
      sku,
      sumAmounts(same.map(({ quantity }) => quantity)),
    ]),
  )
  const priced = lines.flatMap(({ line_id, sku, quantity }) => {
    const price = priceOf(book, sku, quantities.get(sku)!, customer)
    if (!price) return []
    return [{ ...price, line_id, sku, gross: roundToCents(price.unit.times(quantity)), discount: new ExactDecimal(0) }]
  })
  const judged = applyPromotions(codes, priced, customer, promotions)
  return {
    lines: priced.map(({ line_id, sku, unit, list_unit_price, price_type, discount }) => ({
      ...{ line_id, sku, unit_price: unit.toFixed(Math.max(2, unit.decimalPlaces())), list_unit_price, price_type },
      ...{ tax_included: false, discount: formatAmount(discount) },
    })),
    promotions: judged,
    as_of: now.toISOString(),
  }
}

function priceOf(book: PriceStore, sku: string, quantity: Decimal, customer: PricingCustomer) {
  const list = book.list(sku)
  if (!list) return undefined
  const contract = book.contract(sku, customer)
  return {
    unit: atQuantity(contract ?? list, quantity),
    list_unit_price: list.amount,
    price_type: contract ? ('CONTRACT' as const) : ('LIST' as const),
  }
}

/** Breaks rise; the last one that the quantity reaches counts. */
function atQuantity({ amount, breaks }: StoredPrice, quantity: Decimal): Decimal {
  return new ExactDecimal(breaks.findLast(({ min_quantity }) => quantity.gte(min_quantity))?.amount ?? amount)
}
