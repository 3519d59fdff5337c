import { Decimal } from 'decimal.js'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { Customer } from '../../../src/ports/customer.ts'
import type { DeliveryOption } from '../../../src/ports/delivery.ts'
import type { OrderDraft } from '../../../src/ports/order.ts'
import type { TrytonContext } from '../context.ts'
import { currencyDigits } from '../currency-digits.ts'
import type { CreditReader } from '../customers/credit-reader.ts'
import type { CustomerReader } from '../customers/customer-reader.ts'
import type { DeliveryQuotes, QuotedDelivery } from '../delivery-options/delivery-quotes.ts'
import type { TaxedProduct } from '../pricing/sku-taxes.ts'
import type { OrderRefusal } from './sale-outcome-text.ts'

const Exact = Decimal.clone({ precision: 60 })

export interface OrderCheckResult {
  refusal: OrderRefusal | null
  products: TaxedProduct[]
  /** The delivery of the draft as it is offered now. */
  delivery: QuotedDelivery | null
}

export interface OrderCheckSources {
  customers: Pick<CustomerReader, 'customer'>
  credit: Pick<CreditReader, 'readAvailableCredit'>
  quoteDeliveries: DeliveryQuotes
}

export const toOrderRefusal = (
  reason: OrderRefusal['reason'],
  skus: string[] = [],
  available: string | null = null,
) => ({
  reason,
  skus,
  available,
})

/** Returns a function that checks an order before the sale is created: customer, goods, prices, taxes, promotions, delivery and credit. */
export function createOrderCheck(context: TrytonContext, { customers, credit, quoteDeliveries }: OrderCheckSources) {
  return async (draft: OrderDraft, call: Call): Promise<OrderCheckResult> => {
    const { customer_id, lines } = draft
    const skus = [...new Set(lines.map(({ sku }) => sku))]
    const foundCustomer = await customers.customer(customer_id, call)
    if (!foundCustomer) throw new UpstreamError('rejected', 'the customer does not exist')
    const customerRefusal = checkCustomer(foundCustomer, draft)
    if (customerRefusal) return { refusal: customerRefusal, products: [], delivery: null }
    const codes = draft.promotions.map(({ code }) => code)
    const [taxedProducts, { lines: quotedLines, promotions }, delivery] = await Promise.all([
      context.taxes.readTaxes(skus, customer_id, call),
      context.quote({ customerId: customer_id, lines: toQuoteLines(draft), codes }, call),
      findDelivery(draft, call),
    ])
    const products = taxedProducts.filter(({ salable }) => salable)
    const isSold = (sku: string) =>
      products.some((product) => product.sku === sku) && quotedLines.some((line) => line.sku === sku)
    const unavailableSkus = skus.filter((sku) => !isSold(sku))
    if (unavailableSkus.length > 0)
      return { refusal: toOrderRefusal('LINE_UNAVAILABLE', unavailableSkus), products, delivery }
    const rateBySku = new Map(products.map(({ sku, rate }) => [sku, rate]))
    const doLinesAgree = lines.every(({ unit_price, discount, tax, sku }, i) => {
      const line = quotedLines.find(({ line_id }) => line_id === String(i))
      if (!line || !new Decimal(line.unit_price).eq(unit_price)) return false
      return new Decimal(line.discount).eq(discount) && new Decimal(rateBySku.get(sku)!).eq(tax.rate)
    })
    // A code may have expired or been used up in the meantime.
    const areAllApplied = promotions.every(({ status }) => status === 'APPLIED')
    if (
      !doLinesAgree ||
      !areAllApplied ||
      !isDeliveryOffered(draft, delivery) ||
      draft.currency !== context.facts.currency ||
      !hasConsistentTotals(draft, delivery?.option ?? null, currencyDigits(context))
    )
      return { refusal: toOrderRefusal('TOTALS_DISAGREE'), products, delivery }
    return { refusal: await checkCredit(draft, call), products, delivery }
  }

  /** Returns the delivery of a draft; `null` for none, and for one that is not offered now. */
  async function findDelivery(draft: OrderDraft, call: Call): Promise<QuotedDelivery | null> {
    if (!draft.delivery) return null
    const { customer_id: customerId, shipping_address, promotions, delivery } = draft
    const lines = draft.lines.map(({ sku, quantity }) => ({ sku, quantity }))
    const codes = promotions.map(({ code }) => code)
    const quoted = await quoteDeliveries({ customerId, lines, codes, shipping_address }, call)
    return quoted.find(({ option }) => option.delivery_option_id === delivery.delivery_option_id) ?? null
  }

  async function checkCredit({ payment_method, customer_id, totals }: OrderDraft, call: Call) {
    if (payment_method !== 'CREDIT_TERMS') return null
    const availableCredit = await credit.readAvailableCredit(customer_id, call)
    if (availableCredit === null) return toOrderRefusal('PAYMENT_METHOD_NOT_ALLOWED')
    return availableCredit.lt(totals.total)
      ? toOrderRefusal('OVER_CREDIT_LIMIT', [], context.formatAmount(availableCredit.toFixed()))
      : null
  }
}

const isDeliveryOffered = ({ delivery, fulfillment_method }: OrderDraft, quoted: QuotedDelivery | null) =>
  delivery ? quoted?.option.fulfillment_method === fulfillment_method && delivery.pickup_place === null : true

const toQuoteLines = ({ lines }: OrderDraft) =>
  lines.map(({ sku, quantity }, i) => ({ line_id: String(i), sku, quantity }))

function checkCustomer(customer: Customer, draft: OrderDraft): OrderRefusal | null {
  if (customer.status === 'ON_HOLD') return toOrderRefusal('ACCOUNT_ON_HOLD')
  return customer.payment_methods.includes(draft.payment_method) ? null : toOrderRefusal('PAYMENT_METHOD_NOT_ALLOWED')
}

/** Returns true when a draft's totals follow from its lines and its delivery as a cart computes them: each line rounded half up, then summed. */
function hasConsistentTotals({ lines, totals }: OrderDraft, delivery: DeliveryOption | null, digits: number): boolean {
  const round = (value: Decimal) => value.toDecimalPlaces(digits, Decimal.ROUND_HALF_UP)
  const gross = lines.map(({ quantity, unit_price }) => round(new Exact(unit_price).times(quantity)))
  const discounts = lines.map(({ discount }) => new Exact(discount))
  const net = gross.map((amount, i) => amount.minus(discounts[i]!))
  const taxes = lines.map(({ tax }, i) => round(net[i]!.times(tax.rate)))
  const shipping = new Exact(delivery?.price ?? 0)
  const tax = sum([...taxes, round(shipping.times(delivery?.tax.rate ?? 0))])
  return (
    !totals.tax_included &&
    shipping.eq(totals.shipping_total) &&
    discounts.every((amount, i) => amount.gte(0) && amount.lte(gross[i]!)) &&
    sum(gross).eq(totals.subtotal) &&
    sum(discounts).eq(totals.discount_total) &&
    tax.eq(totals.tax_total) &&
    sum([...net, shipping, tax]).eq(totals.total) &&
    lines.every(({ line_total }, i) => net[i]!.plus(taxes[i]!).eq(line_total))
  )
}

const sum = (values: readonly Decimal[]) => values.reduce((total, value) => total.plus(value), new Exact(0))
