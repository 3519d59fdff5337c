import { Decimal } from 'decimal.js'
import type { DeliveryOption } from '../../../src/ports/delivery.ts'
import type { OrderDraft } from '../../../src/ports/order.ts'
import type { AppliedCodes } from '../pricing/apply-promotion-codes.ts'
import { isWithoutTax } from '../pricing/combined-tax.ts'
import type { Pricing } from '../pricing/price-reader.ts'
import type { Decision } from './order-attachments.ts'

export type Refusal = NonNullable<Decision['refusal']>

const Exact = Decimal.clone({ precision: 60 })
const refuse = (reason: Refusal['reason'], skus: string[] = [], available_credit: string | null = null): Refusal => ({
  reason,
  skus,
  available_credit,
})

export const overCreditLimit = (available: string): Refusal => refuse('OVER_CREDIT_LIMIT', [], available)

interface CheckFacts {
  currency: string
  digits: number
  hasCreditLimits: boolean
  /** The delivery of the draft as it is offered now; `null` for none. */
  delivery: DeliveryOption | null
}

/** Checks everything about an order but the credit that is left: customer, goods, prices, promotions, delivery, taxes and sums. The lines of the quote have the index of their line as id. */
export function checkOrderDraft(
  draft: OrderDraft,
  { products, partner }: Pricing,
  quote: Pick<AppliedCodes, 'lines' | 'promotions'>,
  { currency, digits, hasCreditLimits, delivery }: CheckFacts,
): Refusal | null {
  if (!partner?.active) return refuse('ACCOUNT_ON_HOLD')
  const hasCredit = hasCreditLimits && partner.commercial_partner_id.credit_limit > 0
  if (draft.payment_method === 'CREDIT_TERMS' && !hasCredit) return refuse('PAYMENT_METHOD_NOT_ALLOWED')
  const quoted = new Map(quote.lines.map((line) => [line.line_id, line]))
  const unavailable = new Set(draft.lines.filter((_, i) => !quoted.has(String(i))).map(({ sku }) => sku))
  if (unavailable.size > 0) return refuse('LINE_UNAVAILABLE', [...unavailable])
  const taxes = new Map(products.map(({ sku, tax }) => [sku, tax!]))
  const doLinesAgree = draft.lines.every(({ sku, unit_price, discount, tax }, i) => {
    const own = taxes.get(sku)!
    const line = quoted.get(String(i))!
    const hasPrice = new Decimal(unit_price).eq(line.unit_price) && new Decimal(discount).eq(line.discount)
    return hasPrice && own.rate.eq(tax.rate) && (isWithoutTax(own) || line.tax_included === draft.totals.tax_included)
  })
  const arePromotionsApplied = quote.promotions.every(({ status }) => status === 'APPLIED')
  const isDeliveryOffered = draft.delivery
    ? delivery?.fulfillment_method === draft.fulfillment_method && draft.delivery.pickup_place === null
    : true
  const agrees = doLinesAgree && arePromotionsApplied && isDeliveryOffered && draft.currency === currency
  const quotedTaxes = draft.lines.map((_, i) => quoted.get(String(i))!.tax?.amount)
  return agrees && hasConsistentTotals(draft, quotedTaxes, delivery, digits) ? null : refuse('TOTALS_DISAGREE')
}

export const totalsDisagree = refuse('TOTALS_DISAGREE')

/** True when a draft's totals follow from its lines as a cart computes them: each line rounded half up, then summed. `quotedTaxes` are those that are not the rate of their line. */
function hasConsistentTotals(
  { lines, totals }: OrderDraft,
  quotedTaxes: readonly (string | undefined)[],
  delivery: DeliveryOption | null,
  digits: number,
): boolean {
  const round = (value: Decimal) => value.toDecimalPlaces(digits, Decimal.ROUND_HALF_UP)
  const gross = lines.map(({ quantity, unit_price }) => round(new Exact(unit_price).times(quantity)))
  const net = lines.map(({ discount }, i) => gross[i]!.minus(discount))
  const taxOf = (amount: Decimal, rate: string, quotedTax: string | undefined) => {
    if (quotedTax !== undefined) return new Exact(quotedTax)
    return totals.tax_included ? amount.minus(round(amount.div(new Exact(rate).plus(1)))) : round(amount.times(rate))
  }
  const taxes = lines.map(({ tax }, i) => taxOf(net[i]!, tax.rate, quotedTaxes[i]))
  const shipping = new Exact(delivery?.price ?? 0)
  const shippingTax = delivery ? taxOf(shipping, delivery.tax.rate, delivery.tax.amount) : new Exact(0)
  const sum = (values: readonly Decimal[]) => values.reduce((total, value) => total.plus(value), new Exact(0))
  const lineTotals = net.map((amount, i) => (totals.tax_included ? amount : amount.plus(taxes[i]!)))
  return (
    shipping.eq(totals.shipping_total) &&
    sum(lines.map(({ discount }) => new Exact(discount))).eq(totals.discount_total) &&
    sum(gross).eq(totals.subtotal) &&
    sum([...taxes, shippingTax]).eq(totals.tax_total) &&
    sum([...lineTotals, shipping, ...(totals.tax_included ? [] : [shippingTax])]).eq(totals.total) &&
    lines.every(({ line_total }, i) => lineTotals[i]!.eq(line_total))
  )
}
