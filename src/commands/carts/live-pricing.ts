import { currencyDigits } from '../../contract/common-schemas.ts'
import { UpstreamError } from '../../errors.ts'
import type { Tax } from '../../ports/accounting.ts'
import type { OrderLine, OrderTotals, TaxTotal } from '../../ports/order.ts'
import type { Quote, QuotedLine, QuotedPromotion } from '../../ports/pricing.ts'
import type { CartRecord, StoredCartLine } from '../../storage/commerce/carts.ts'
import type { LiveCallOptions } from '../../upstream/run-live-call.ts'
import type { CustomerCommandContext } from '../command-context.ts'
import { computeCartTotals } from './cart-totals.ts'

/** A line of a cart with its money, as an order takes it over. */
export interface PricedCartLine extends OrderLine {
  line_id: string
}

/** What a cart costs at this moment. */
export interface LivePricing {
  /** Those that have a price and a tax, in the cart's order. */
  lines: PricedCartLine[]
  /** SKUs without a price or a tax. */
  unpriced: string[]
  /** `null`: something is unpriced. */
  totals: OrderTotals | null
  /** One for each code of the cart, in their order. */
  promotions: QuotedPromotion[]
  taxes: TaxTotal[]
  /** RFC 3339, UTC. */
  as_of: string
}

/** Asks pricing and the ledger at once for what this cart costs now. Rejects with UpstreamError. */
export async function readLivePricing(
  { backOffice, customerId, merchant, commerce }: CustomerCommandContext,
  cart: Pick<CartRecord, 'lines' | 'promotions'>,
  live: LiveCallOptions,
): Promise<LivePricing> {
  const { lines } = cart
  const codes = cart.promotions.map(({ code }) => code)
  const question = { customerId, lines: lines.map(toQuoteLine), codes }
  const skus = [...new Set(lines.map(({ sku }) => sku))]
  const nothing: Quote = { lines: [], promotions: [], as_of: new Date(commerce.now()).toISOString() }
  const [quote, taxes] = await Promise.all([
    lines.length + codes.length === 0 ? nothing : backOffice.quoteNow(question, live),
    backOffice.taxesNow(skus, customerId, live),
  ])
  return toLivePricing(lines, quote, taxes, currencyDigits(merchant.currency))
}

/** Only what decides a price. */
export const toQuoteLine = ({ line_id, sku, quantity }: StoredCartLine) => ({ line_id, sku, quantity })

/** Puts a quote and the taxes together. A line that lacks either has no price, and a cart with such a line no total. */
export function toLivePricing(
  lines: readonly StoredCartLine[],
  quote: Quote,
  taxes: ReadonlyMap<string, Omit<Tax, 'sku'>>,
  digits: number,
): LivePricing {
  const quoted = new Map(quote.lines.map((line) => [line.line_id, line]))
  const known = lines.flatMap((line) => {
    const price = quoted.get(line.line_id)
    const tax = taxes.get(line.sku)
    return price?.sku === line.sku && tax ? [{ line, price, tax }] : []
  })
  const included = new Set(known.map(({ price }) => price.tax_included))
  if (included.size > 1)
    throw new UpstreamError('invalid', 'one quote has prices with tax and prices without', { system: 'pricing' })
  const rows = known.map(({ line, price, tax }) => ({ ...price, quantity: line.quantity, tax }))
  const counted = computeCartTotals(rows, included.has(true), digits)
  const complete = known.length === lines.length
  return {
    lines: known.map(({ line, price, tax }, at) => priced(line, price, tax, counted.lines[at]!)),
    unpriced: [...new Set(lines.filter((line) => !known.some((row) => row.line === line)).map(({ sku }) => sku))],
    totals: complete ? counted.totals : null,
    promotions: quote.promotions,
    taxes: complete ? counted.totals.taxes : [],
    as_of: quote.as_of,
  }
}

function priced(
  line: StoredCartLine,
  { unit_price, list_unit_price }: QuotedLine,
  { code, rate }: Omit<Tax, 'sku'>,
  money: { discount: string; tax: string; line_total: string },
): PricedCartLine {
  return {
    ...line,
    ...{ unit_price, list_unit_price, discount: money.discount },
    ...{ tax: { code, rate, amount: money.tax }, line_total: money.line_total },
  }
}
