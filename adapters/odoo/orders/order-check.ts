import { Decimal } from 'decimal.js'
import type { OrderDraft } from '../../../src/ports/order.ts'
import type { Pricing } from '../pricing/price-reader.ts'
import { quoteLines } from '../pricing/quote-lines.ts'
import type { Decision } from './order-decision-notes.ts'

export type Refusal = NonNullable<Decision['refusal']>

const Exact = Decimal.clone({ precision: 60 })
const refuse = (reason: Refusal['reason'], skus: string[] = [], available_credit: string | null = null): Refusal => ({
  reason,
  skus,
  available_credit,
})

export const overCreditLimit = (available: string): Refusal => refuse('OVER_CREDIT_LIMIT', [], available)

/** Checks everything about an order but the credit that is left: customer, goods, prices, taxes and sums. */
export function checkOrder(
  draft: OrderDraft,
  { products, partner }: Pricing,
  { currency, digits, hasCreditLimits }: { currency: string; digits: number; hasCreditLimits: boolean },
): Refusal | null {
  if (!partner?.active) return refuse('ACCOUNT_ON_HOLD')
  const hasCredit = hasCreditLimits && partner.commercial_partner_id.credit_limit > 0
  if (draft.payment_method === 'CREDIT_TERMS' && !hasCredit) return refuse('PAYMENT_METHOD_NOT_ALLOWED')
  const lines = draft.lines.map(({ sku, quantity }, i) => ({ line_id: String(i), sku, quantity }))
  const quoted = quoteLines(lines, products, '0')
  const unavailable = new Set(
    lines.filter(({ line_id }) => !quoted.some((line) => line.line_id === line_id)).map(({ sku }) => sku),
  )
  if (unavailable.size > 0) return refuse('LINE_UNAVAILABLE', [...unavailable])
  const taxes = new Map(products.map(({ sku, tax }) => [sku, tax!]))
  const doLinesAgree = draft.lines.every(({ sku, unit_price, discount, tax }, i) => {
    const own = taxes.get(sku)!
    const hasPrice = new Decimal(unit_price).eq(quoted[i]!.unit_price) && new Decimal(discount).isZero()
    return hasPrice && own.rate.eq(tax.rate) && own.isIncluded === draft.totals.tax_included
  })
  const agrees = doLinesAgree && draft.promotions.length === 0 && draft.currency === currency
  return agrees && hasConsistentTotals(draft, digits) ? null : refuse('TOTALS_DISAGREE')
}

export const totalsDisagree = refuse('TOTALS_DISAGREE')

/** True when a draft's totals follow from its lines as a cart computes them: each line rounded half up, then summed. */
function hasConsistentTotals({ lines, totals }: OrderDraft, digits: number): boolean {
  const round = (value: Decimal) => value.toDecimalPlaces(digits, Decimal.ROUND_HALF_UP)
  const gross = lines.map(({ quantity, unit_price }) => round(new Exact(unit_price).times(quantity)))
  const taxes = lines.map(({ tax }, i) => {
    const amount = gross[i]!
    return totals.tax_included
      ? amount.minus(round(amount.div(new Exact(tax.rate).plus(1))))
      : round(amount.times(tax.rate))
  })
  const sum = (values: readonly Decimal[]) => values.reduce((total, value) => total.plus(value), new Exact(0))
  const lineTotals = gross.map((amount, i) => (totals.tax_included ? amount : amount.plus(taxes[i]!)))
  return (
    new Decimal(totals.shipping_total).isZero() &&
    new Decimal(totals.discount_total).isZero() &&
    sum(gross).eq(totals.subtotal) &&
    sum(taxes).eq(totals.tax_total) &&
    sum(lineTotals).eq(totals.total) &&
    lines.every(({ line_total }, i) => lineTotals[i]!.eq(line_total))
  )
}
