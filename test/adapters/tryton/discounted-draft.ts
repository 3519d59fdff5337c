import { Decimal } from 'decimal.js'
import type { OrderDraft } from '../../../src/ports/order.ts'
import type { Quote } from '../../../src/ports/pricing.ts'

const cents = (value: Decimal.Value) => new Decimal(value).toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
const sum = (values: Decimal.Value[]) => Decimal.sum(0, ...values).toFixed(2)

/** Returns a draft with the lines and promotions of a quote. */
export function toDiscountedDraft(draft: OrderDraft, quote: Quote): OrderDraft {
  const lines = draft.lines.map((line, i) => {
    const { discount } = quote.lines[i]!
    const net = cents(new Decimal(line.unit_price).times(line.quantity)).minus(discount)
    const amount = cents(net.times(line.tax.rate))
    return {
      ...line,
      discount,
      tax: { ...line.tax, amount: amount.toFixed(2) },
      line_total: net.plus(amount).toFixed(2),
    }
  })
  const applied = quote.promotions.filter(({ status }) => status === 'APPLIED')
  const tax_total = sum(lines.map(({ tax }) => tax.amount))
  const total = sum(lines.map(({ line_total }) => line_total))
  const [tax] = draft.totals.taxes
  return {
    ...draft,
    lines,
    promotions: applied.map(({ code, description, discount }) => ({ code, description, discount })),
    totals: {
      ...draft.totals,
      discount_total: sum(lines.map(({ discount }) => discount)),
      tax_total,
      total,
      taxes: [{ ...tax!, base: new Decimal(total).minus(tax_total).toFixed(2), amount: tax_total }],
    },
  }
}
