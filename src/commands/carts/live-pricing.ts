import { currencyDigits } from '../../contract/money.ts'
import { UpstreamError } from '../../errors.ts'
import type { Tax } from '../../ports/accounting.ts'
import type { OrderLine, OrderTotals, TaxTotal } from '../../ports/order.ts'
import type { Quote, QuotedLine, QuotedPromotion } from '../../ports/pricing.ts'
import type { CartRecord, StoredCartLine } from '../../storage/commerce/carts.ts'
import type { LiveCallOptions } from '../../upstream/readers/run-live-call.ts'
import type { CustomerCommandContext } from '../command-context.ts'
import type { PricedDelivery } from './add-delivery.ts'
import { computeCartTotals } from './cart-totals.ts'

/** A priced cart line, in the shape that an order takes over. */
export interface PricedCartLine extends OrderLine {
  line_id: string
}

/** The current prices and totals of a cart. */
export interface LivePricing {
  /** The lines that have a price and a tax, in the cart's order. */
  lines: PricedCartLine[]
  /** SKUs without a price or a tax. */
  unpriced: string[]
  /** `null` if any line is unpriced. */
  totals: OrderTotals | null
  /** One entry for each code of the cart, in order. */
  promotions: QuotedPromotion[]
  taxes: TaxTotal[]
  /** The delivery whose price is in the totals. */
  delivery?: PricedDelivery | null
  /** RFC 3339, UTC. */
  as_of: string
}

/** Calls pricing, and accounting in parallel where a quote has no taxes, for the current price of a cart. Rejects with UpstreamError. */
export async function readLivePricing(
  { backOffice, customerId, merchant, commerce }: CustomerCommandContext,
  cart: Pick<CartRecord, 'lines' | 'promotions'>,
  live: LiveCallOptions,
): Promise<LivePricing> {
  const { lines } = cart
  const codes = cart.promotions.map(({ code }) => code)
  const query = { customerId, lines: lines.map(toQuoteLine), codes }
  const skus = [...new Set(lines.map(({ sku }) => sku))]
  const emptyQuote: Quote = { lines: [], promotions: [], as_of: new Date(commerce.now()).toISOString() }
  const [quote, taxes] = await Promise.all([
    lines.length + codes.length === 0 ? emptyQuote : backOffice.quoteNow(query, live),
    backOffice.quotesTaxes ? new Map<string, Tax>() : backOffice.taxesNow(skus, customerId, live),
  ])
  return toLivePricing(lines, quote, taxes, currencyDigits(merchant.currency))
}

/** Returns the members of a cart line that determine its price. */
export const toQuoteLine = ({ line_id, sku, quantity }: StoredCartLine) => ({ line_id, sku, quantity })

/** Combines a quote with the taxes. A line that lacks either is unpriced, and a cart with an unpriced line has no totals. */
export function toLivePricing(
  lines: readonly StoredCartLine[],
  quote: Quote,
  taxes: ReadonlyMap<string, Omit<Tax, 'sku'>>,
  digits: number,
): LivePricing {
  const quotedLines = new Map(quote.lines.map((line) => [line.line_id, line]))
  const priced = lines.flatMap((line) => {
    const price = quotedLines.get(line.line_id)
    const tax = price?.tax ?? taxes.get(line.sku)
    return price?.sku === line.sku && tax ? [{ line, price, tax }] : []
  })
  const included = new Set(priced.map(({ price }) => price.tax_included))
  if (included.size > 1)
    throw new UpstreamError('invalid', 'one quote has prices with tax and prices without tax', { system: 'pricing' })
  const totalsLines = priced.map(({ line, price, tax }) => ({ ...price, quantity: line.quantity, tax }))
  const computed = computeCartTotals(totalsLines, included.has(true), digits)
  const isComplete = priced.length === lines.length
  return {
    lines: priced.map(({ line, price, tax }, index) => toPricedLine(line, price, tax, computed.lines[index]!)),
    unpriced: [...new Set(lines.filter((line) => !priced.some((row) => row.line === line)).map(({ sku }) => sku))],
    totals: isComplete ? computed.totals : null,
    promotions: quote.promotions,
    taxes: isComplete ? computed.totals.taxes : [],
    as_of: quote.as_of,
  }
}

function toPricedLine(
  line: StoredCartLine,
  { unit_price, list_unit_price }: QuotedLine,
  { code, rate }: Omit<Tax, 'sku'>,
  money: { discount: string; tax: string; line_total: string },
): PricedCartLine {
  return {
    ...line,
    unit_price,
    list_unit_price,
    discount: money.discount,
    tax: { code, rate, amount: money.tax },
    line_total: money.line_total,
  }
}
