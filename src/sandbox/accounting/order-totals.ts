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

/** The ledger's own arithmetic: every line is rounded half up to the cent, and the totals are sums of lines. `taxes`: one for each line. */
export function computeOrderTotals(
  lines: readonly Line[],
  taxes: readonly LedgerTax[],
  taxIncluded: boolean,
): ComputedTotals {
  const counted = lines.map((line, i) => countLine(line, taxes[i]!, taxIncluded))
  const groups = Map.groupBy(counted, ({ tax: { code, rate } }) => `${code} ${new ExactDecimal(rate).toFixed()}`)
  return {
    lines: counted.map(({ tax: { code, rate }, amount, total }) => ({
      tax: { code, rate, amount: formatAmount(amount) },
      line_total: formatAmount(total),
    })),
    totals: {
      subtotal: formatAmount(sumAmounts(counted.map(({ gross }) => gross))),
      discount_total: formatAmount(sumAmounts(lines.map(({ discount }) => discount))),
      tax_total: formatAmount(sumAmounts(counted.map(({ amount }) => amount))),
      shipping_total: formatAmount(0),
      total: formatAmount(sumAmounts(counted.map(({ total }) => total))),
      taxes: [...groups.values()].map((group) => ({
        ...group[0]!.tax,
        base: formatAmount(sumAmounts(group.map(({ net }) => net))),
        amount: formatAmount(sumAmounts(group.map(({ amount }) => amount))),
      })),
      tax_included: taxIncluded,
    },
  }
}

function countLine({ unit_price, quantity, discount }: Line, { code, name, rate }: LedgerTax, taxIncluded: boolean) {
  const gross = roundToCents(new ExactDecimal(unit_price).times(quantity))
  const after = gross.minus(discount)
  const amount = taxIncluded
    ? roundToCents(after.minus(after.div(new ExactDecimal(1).plus(rate))))
    : roundToCents(after.times(rate))
  const tax = { code, name, rate }
  return {
    tax,
    gross,
    amount,
    net: taxIncluded ? after.minus(amount) : after,
    total: taxIncluded ? after : after.plus(amount),
  }
}

/** Whether what somebody else counted agrees to the cent, line by line and in the totals. */
export function totalsAgree(order: Pick<Order, 'lines' | 'totals'>, counted: ComputedTotals): boolean {
  const pairs: [string, string][] = order.lines.flatMap((line, i) => {
    const own = counted.lines[i]!
    return [
      [line.tax.amount, own.tax.amount],
      [line.line_total, own.line_total],
    ] satisfies [string, string][]
  })
  for (const name of ['subtotal', 'discount_total', 'tax_total', 'shipping_total', 'total'] as const)
    pairs.push([order.totals[name], counted.totals[name]])
  const sane = order.lines.every((line) => {
    const gross = roundToCents(new ExactDecimal(line.unit_price).times(line.quantity))
    return new ExactDecimal(line.discount).lte(gross) && roundToCents(line.discount).eq(line.discount)
  })
  return sane && pairs.every(([theirs, ours]) => new ExactDecimal(theirs).eq(ours))
}
