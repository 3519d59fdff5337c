import type { Static } from 'typebox'
import type { Order, OrderLine, Payment, Shipment, TaxTotal, Totals } from '../../src/ports/order.ts'
import { plain } from '../amount-format.ts'
import { addressOrNull } from './addresses.ts'
import type { LineRow, OrderRow, PaymentRow, ShipmentRow, TaxRow } from './order-rows.ts'
import { clamp, moment, momentOrNull, webAddress } from './protocol.ts'

const TEXT = 300
const LONG = 4_000

export type AmountOf = (value: string) => string

export function orderOf(row: Static<typeof OrderRow>, amount: AmountOf): Order {
  const { order_id, order_number, customer_id, currency, status, payment_status, payment_method, invoiced } = row
  const { fulfillment_method = 'DELIVERY', requested_date = null, contact } = row
  return {
    ...{ order_id, order_number, reference: row.reference || null, customer_id, currency, status, payment_status },
    ...{ payment_method, fulfillment_method, requested_date, invoiced },
    shipping_address: addressOrNull(row.shipping_address),
    billing_address: addressOrNull(row.billing_address),
    contact: contact
      ? { name: clamp(contact.name, TEXT), phone: clamp(contact.phone, TEXT), email: clamp(contact.email, TEXT) }
      : null,
    po_number: clamp(row.po_number, TEXT),
    notes: clamp(row.notes, LONG),
    lines: row.lines.map((line) => lineOf(line, amount)),
    promotions: (row.promotions ?? []).map(({ code, description, discount }) => ({
      ...{ code: code.slice(0, TEXT), description: clamp(description, TEXT), discount: amount(discount) },
    })),
    totals: totalsOf(row.totals, amount),
    placed_at: moment(row.placed_at),
    updated_at: moment(row.updated_at),
    shipments: (row.shipments ?? []).map(shipmentOf),
    cancelled_at: momentOrNull(row.cancelled_at),
    cancel_reason: clamp(row.cancel_reason, TEXT),
    history: (row.history ?? []).map(({ status, at }) => ({ status, at: moment(at) })),
  }
}

function lineOf(row: Static<typeof LineRow>, amount: AmountOf): OrderLine {
  const { sku, name = sku, quantity, uom, tax } = row
  return {
    ...{ sku, name: name.slice(0, TEXT), quantity: plain(quantity), uom, order_uom: row.order_uom || null },
    order_quantity: row.order_quantity ? plain(row.order_quantity) : null,
    unit_price: amount(row.unit_price),
    list_unit_price: row.list_unit_price ? amount(row.list_unit_price) : null,
    discount: amount(row.discount || '0'),
    tax: { code: tax.code, rate: plain(tax.rate), amount: amount(tax.amount) },
    line_total: amount(row.line_total),
  }
}

function totalsOf(row: Static<typeof OrderRow>['totals'], amount: AmountOf): Totals {
  return {
    subtotal: amount(row.subtotal),
    discount_total: amount(row.discount_total || '0'),
    tax_total: amount(row.tax_total),
    shipping_total: amount(row.shipping_total || '0'),
    total: amount(row.total),
    taxes: (row.taxes ?? []).map((tax) => taxTotalOf(tax, amount)),
    tax_included: row.tax_included,
  }
}

export function taxTotalOf(row: Static<typeof TaxRow>, amount: AmountOf): TaxTotal {
  const { code, name = code, rate } = row
  return { code, name: name.slice(0, TEXT), rate: plain(rate), base: amount(row.base), amount: amount(row.amount) }
}

function shipmentOf(row: Static<typeof ShipmentRow>): Shipment {
  return {
    shipment_id: row.shipment_id,
    carrier: clamp(row.carrier, TEXT),
    tracking_number: clamp(row.tracking_number, TEXT),
    tracking_url: webAddress(row.tracking_url),
    shipped_at: moment(row.shipped_at),
    lines: row.lines.map(({ sku, quantity }) => ({ sku, quantity: plain(quantity) })),
  }
}

export function paymentOf(row: Static<typeof PaymentRow>, amount: AmountOf): Payment {
  return {
    session_id: row.session_id || null,
    status: row.status,
    amount_due: amount(row.amount_due),
    amount_paid: amount(row.amount_paid),
    redirect_url: webAddress(row.redirect_url),
    expires_at: momentOrNull(row.expires_at),
    updated_at: moment(row.updated_at),
  }
}
