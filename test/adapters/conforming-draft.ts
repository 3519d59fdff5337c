import { Decimal } from 'decimal.js'
import type { OrderDraft } from '../../src/ports/order.ts'

export interface Goods {
  sku: string
  uom: string
  unitPrice: string
}

const cents = (value: Decimal.Value) => new Decimal(value).toDecimalPlaces(2, Decimal.ROUND_HALF_UP)

/** A draft of one line whose totals are right, at prices without tax. */
export function draftOf(
  of: { reference: string; customerId: string; goods: Goods; quantity?: string; rate?: string },
  change: Partial<OrderDraft> = {},
): OrderDraft {
  const { reference, customerId, goods, quantity = '3', rate = '0.15' } = of
  const gross = cents(new Decimal(goods.unitPrice).times(quantity))
  const amount = cents(gross.times(rate))
  const total = gross.plus(amount).toFixed(2)
  return {
    ...{ reference, customer_id: customerId, channel: 'ECOMMERCE', currency: 'JMD' },
    ...{ payment_method: 'CREDIT_TERMS', fulfillment_method: 'DELIVERY' },
    shipping_address: {
      ...{ line1: '12 Harbour Street', line2: null, city: 'Montego Bay' },
      ...{ region: 'St. James', postal_code: null, country: 'JM' },
    },
    ...{ billing_address: null, contact: { name: 'Ana', phone: null, email: null } },
    ...{ po_number: 'PO 7', notes: null, requested_date: null },
    lines: [
      {
        ...{ sku: goods.sku, name: 'Goods', quantity, uom: goods.uom, order_uom: null, order_quantity: null },
        ...{ unit_price: goods.unitPrice, list_unit_price: null, discount: '0.00', line_total: total },
        tax: { code: 'GCT', rate, amount: amount.toFixed(2) },
      },
    ],
    promotions: [],
    totals: {
      ...{ subtotal: gross.toFixed(2), discount_total: '0.00', tax_total: amount.toFixed(2), shipping_total: '0.00' },
      ...{ total, tax_included: false },
      taxes: [{ code: 'GCT', name: 'GCT', rate, base: gross.toFixed(2), amount: amount.toFixed(2) }],
    },
    ...change,
  }
}
