import { Decimal } from 'decimal.js'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { Customer } from '../../../src/ports/customer.ts'
import type { OrderDraft } from '../../../src/ports/order.ts'
import { type AccountingContext, currencyDigits } from '../accounting-context.ts'
import type { CreditReader } from '../customers/credit-reader.ts'
import type { CustomerReader } from '../customers/customer-reader.ts'
import { hasConsistentTotals } from '../pricing/sale-totals.ts'
import type { TaxedProduct } from '../pricing/sku-taxes.ts'
import type { OrderRefusal } from './sale-description.ts'

export interface OrderCheckResult {
  refused: OrderRefusal | null
  products: TaxedProduct[]
}

export const toOrderRefusal = (
  reason: OrderRefusal['reason'],
  skus: string[] = [],
  available: string | null = null,
) => ({
  ...{ reason, skus, available },
})

/** Everything that speaks against an order before it is made: who, what, at which prices and taxes, and for how much. */
export function createOrderCheck(ledger: AccountingContext, { customer }: CustomerReader, credit: CreditReader) {
  return async (draft: OrderDraft, call: Call): Promise<OrderCheckResult> => {
    const { customer_id, lines } = draft
    const skus = [...new Set(lines.map(({ sku }) => sku))]
    const known = await customer(customer_id, call)
    if (!known) throw new UpstreamError('rejected', 'there is no such customer')
    const barred = barredFrom(known, draft)
    if (barred) return { refused: barred, products: [] }
    const codes = draft.promotions.map(({ code }) => code)
    const [taxed, { lines: priced, promotions }] = await Promise.all([
      ledger.taxes.of(skus, customer_id, call),
      ledger.quote({ customerId: customer_id, lines: asked(draft), codes }, call),
    ])
    const products = taxed.filter(({ salable }) => salable)
    const sold = (sku: string) =>
      products.some((product) => product.sku === sku) && priced.some((line) => line.sku === sku)
    const gone = skus.filter((sku) => !sold(sku))
    if (gone.length > 0) return { refused: toOrderRefusal('LINE_UNAVAILABLE', gone), products }
    const rates = new Map(products.map(({ sku, rate }) => [sku, rate]))
    const agree = lines.every(({ unit_price, discount, tax, sku }, i) => {
      const line = priced.find(({ line_id }) => line_id === String(i))
      if (!line || !new Decimal(line.unit_price).eq(unit_price)) return false
      return new Decimal(line.discount).eq(discount) && new Decimal(rates.get(sku)!).eq(tax.rate)
    })
    // A code that no longer applies, or was used up meanwhile.
    const applied = promotions.every(({ status }) => status === 'APPLIED')
    if (
      !agree ||
      !applied ||
      draft.currency !== ledger.facts.currency ||
      !hasConsistentTotals(draft, currencyDigits(ledger))
    )
      return { refused: toOrderRefusal('TOTALS_DISAGREE'), products }
    return { refused: await overLimit(draft, call), products }
  }

  async function overLimit({ payment_method, customer_id, totals }: OrderDraft, call: Call) {
    if (payment_method !== 'CREDIT_TERMS') return null
    const left = await credit.available(customer_id, call)
    if (left === null) return toOrderRefusal('PAYMENT_METHOD_NOT_ALLOWED')
    return left.lt(totals.total) ? toOrderRefusal('OVER_CREDIT_LIMIT', [], ledger.amount(left.toFixed())) : null
  }
}

const asked = ({ lines }: OrderDraft) => lines.map(({ sku, quantity }, i) => ({ line_id: String(i), sku, quantity }))

function barredFrom(customer: Customer, draft: OrderDraft): OrderRefusal | null {
  if (customer.status === 'ON_HOLD') return toOrderRefusal('ACCOUNT_ON_HOLD')
  return customer.payment_methods.includes(draft.payment_method) ? null : toOrderRefusal('PAYMENT_METHOD_NOT_ALLOWED')
}
