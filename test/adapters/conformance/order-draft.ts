import { Decimal } from 'decimal.js'
import type { OrderDraft, OrderLine } from '../../../src/ports/order.ts'

export interface Goods {
  sku: string
  uom: string
  unitPrice: string
  /** True when the price includes the tax; `false` by default. */
  taxIncluded?: boolean
  /** GCT of "0.15" by default. */
  tax?: { code: string; name: string; rate: string }
  /** JMD by default. */
  currency?: string
}

const cents = (value: Decimal.Value) => new Decimal(value).toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
const sum = (values: Decimal.Value[]) => values.reduce<Decimal>((all, one) => all.plus(one), new Decimal(0)).toFixed(2)

/** Returns a draft with correct totals, of one line unless there are several quantities. Each line may have goods of its own. */
export function createOrderDraft(
  of: { reference: string; customerId: string; goods: Goods | Goods[]; quantity?: string | string[]; rate?: string },
  change: Partial<OrderDraft> = {},
): OrderDraft {
  const { reference, customerId, quantity = '3' } = of
  const all = [of.goods].flat()
  const goods = all[0]!
  const { currency = 'JMD', taxIncluded: tax_included = false } = goods
  const { code, name, rate } = {
    code: 'GCT',
    name: 'GCT',
    rate: '0.15',
    ...goods.tax,
    ...(of.rate && { rate: of.rate }),
  }
  const lines = [quantity].flat().map((each, i) => lineOf(all[i] ?? goods, each, { code, rate }))
  const subtotal = sum(lines.map((line) => cents(new Decimal(line.unit_price).times(line.quantity))))
  const tax_total = sum(lines.map(({ tax }) => tax.amount))
  const total = sum(lines.map(({ line_total }) => line_total))
  const base = new Decimal(total).minus(tax_total).toFixed(2)
  return {
    reference,
    customer_id: customerId,
    channel: 'ECOMMERCE',
    currency,
    payment_method: 'CREDIT_TERMS',
    fulfillment_method: 'DELIVERY',
    shipping_address: {
      line1: '12 Harbour Street',
      line2: null,
      city: 'Montego Bay',
      region: 'St. James',
      postal_code: null,
      country: 'JM',
    },
    billing_address: null,
    contact: { name: 'Ana', phone: null, email: null },
    po_number: 'PO 7',
    notes: null,
    requested_date: null,
    lines,
    promotions: [],
    totals: {
      subtotal,
      discount_total: '0.00',
      tax_total,
      shipping_total: '0.00',
      total,
      tax_included,
      taxes: [{ code, name, rate, base, amount: tax_total }],
    },
    ...change,
  }
}

function lineOf(
  { sku, uom, unitPrice, taxIncluded }: Goods,
  quantity: string,
  tax: { code: string; rate: string },
): OrderLine {
  const gross = cents(new Decimal(unitPrice).times(quantity))
  const amount = taxIncluded
    ? gross.minus(cents(gross.div(new Decimal(tax.rate).plus(1))))
    : cents(gross.times(tax.rate))
  return {
    sku,
    name: 'Goods',
    quantity,
    uom,
    order_uom: null,
    order_quantity: null,
    unit_price: unitPrice,
    list_unit_price: null,
    discount: '0.00',
    tax: { ...tax, amount: amount.toFixed(2) },
    line_total: (taxIncluded ? gross : gross.plus(amount)).toFixed(2),
  }
}
