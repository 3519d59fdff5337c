import { ExactDecimal, formatAmount, roundToCents, sumAmounts } from '../money.ts'
import type { Order } from '../protocol/order-schemas.ts'

type Line = Pick<Order['lines'][number], 'quantity' | 'unit_price' | 'discount'>
type Totals = Order['totals']

export interface LedgerTax {
  code: string
  name: string
  rate: string
}

export interface ComputedTotals {
  lines: { tax: { code: string; rate: string; amount: string }; line_total: string }[]
  totals: Totals
}

/**
 * Computes totals as the ledger does: rounds every line half up to the cent, then adds up the lines. `taxes` has one entry per line. The
 * delivery is one more line, whose price is not in the subtotal.
 */
export function computeOrderTotals(
  lines: readonly Line[],
  taxes: readonly LedgerTax[],
  taxIncluded: boolean,
  delivery?: { price: string; tax: LedgerTax },
): ComputedTotals {
  const computed = lines.map((line, i) => computeLine(line, taxes[i]!, taxIncluded))
  const deliveryLine = { unit_price: delivery?.price ?? '0', quantity: '1', discount: '0' }
  const shipping = delivery && Number(delivery.price) > 0 ? [computeLine(deliveryLine, delivery.tax, taxIncluded)] : []
  const charged = [...computed, ...shipping]
  const groups = Map.groupBy(charged, ({ tax: { code, rate } }) => `${code} ${new ExactDecimal(rate).toFixed()}`)
  return {
    lines: computed.map(({ tax: { code, rate }, amount, total }) => ({
      tax: { code, rate, amount: formatAmount(amount) },
      line_total: formatAmount(total),
    })),
    totals: {
      subtotal: formatAmount(sumAmounts(computed.map(({ gross }) => gross))),
      discount_total: formatAmount(sumAmounts(lines.map(({ discount }) => discount))),
      tax_total: formatAmount(sumAmounts(charged.map(({ amount }) => amount))),
      shipping_total: formatAmount(sumAmounts(shipping.map(({ gross }) => gross))),
      total: formatAmount(sumAmounts(charged.map(({ total }) => total))),
      taxes: [...groups.values()].map((group) => ({
        ...group[0]!.tax,
        base: formatAmount(sumAmounts(group.map(({ net }) => net))),
        amount: formatAmount(sumAmounts(group.map(({ amount }) => amount))),
      })),
      tax_included: taxIncluded,
    },
  }
}

function computeLine({ unit_price, quantity, discount }: Line, { code, name, rate }: LedgerTax, taxIncluded: boolean) {
  const gross = roundToCents(new ExactDecimal(unit_price).times(quantity))
  const discounted = gross.minus(discount)
  const amount = taxIncluded
    ? roundToCents(discounted.minus(discounted.div(new ExactDecimal(1).plus(rate))))
    : roundToCents(discounted.times(rate))
  const tax = { code, name, rate }
  return {
    tax,
    gross,
    amount,
    net: taxIncluded ? discounted.minus(amount) : discounted,
    total: taxIncluded ? discounted : discounted.plus(amount),
  }
}

/** Returns true when the amounts of an order equal the computed ones, in every line and in the totals. */
export function totalsAgree(order: Pick<Order, 'lines' | 'totals'>, computed: ComputedTotals): boolean {
  const pairs: [string, string][] = order.lines.flatMap((line, i) => {
    const own = computed.lines[i]!
    return [
      [line.tax.amount, own.tax.amount],
      [line.line_total, own.line_total],
    ] satisfies [string, string][]
  })
  for (const name of ['subtotal', 'discount_total', 'tax_total', 'shipping_total', 'total'] as const)
    pairs.push([order.totals[name], computed.totals[name]])
  const hasValidDiscounts = order.lines.every((line) => {
    const gross = roundToCents(new ExactDecimal(line.unit_price).times(line.quantity))
    return new ExactDecimal(line.discount).lte(gross) && roundToCents(line.discount).eq(line.discount)
  })
  return hasValidDiscounts && pairs.every(([theirs, ours]) => new ExactDecimal(theirs).eq(ours))
}
