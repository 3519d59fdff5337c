import type { Static } from 'typebox'
import type { Order, OrderLine, OrderTotals, Payment, Shipment, TaxTotal } from '../../src/ports/order.ts'
import { formatDecimal } from '../amount-format.ts'
import { toAddressOrNull } from './addresses.ts'
import type { OrderLineRow, OrderRow, PaymentRow, ShipmentRow, TaxRow } from './order-rows.ts'
import { toHttpUrl, toUtcTimestamp, toUtcTimestampOrNull, truncateText } from './protocol.ts'

const TEXT = 300
const LONG = 4_000

export type AmountFormatter = (value: string) => string

export function toOrder(row: Static<typeof OrderRow>, amount: AmountFormatter): Order {
  const { order_id, order_number, customer_id, currency, status, payment_status, payment_method, invoiced } = row
  const { fulfillment_method = 'DELIVERY', requested_date = null, contact } = row
  return {
    ...{ order_id, order_number, reference: row.reference || null, customer_id, currency, status, payment_status },
    ...{ payment_method, fulfillment_method, requested_date, invoiced },
    shipping_address: toAddressOrNull(row.shipping_address),
    billing_address: toAddressOrNull(row.billing_address),
    contact: contact
      ? {
          name: truncateText(contact.name, TEXT),
          phone: truncateText(contact.phone, TEXT),
          email: truncateText(contact.email, TEXT),
        }
      : null,
    po_number: truncateText(row.po_number, TEXT),
    notes: truncateText(row.notes, LONG),
    lines: row.lines.map((line) => lineOf(line, amount)),
    promotions: (row.promotions ?? []).map(({ code, description, discount }) => ({
      ...{ code: code.slice(0, TEXT), description: truncateText(description, TEXT), discount: amount(discount) },
    })),
    totals: totalsOf(row.totals, amount),
    placed_at: toUtcTimestamp(row.placed_at),
    updated_at: toUtcTimestamp(row.updated_at),
    shipments: (row.shipments ?? []).map(shipmentOf),
    cancelled_at: toUtcTimestampOrNull(row.cancelled_at),
    cancel_reason: truncateText(row.cancel_reason, TEXT),
    history: (row.history ?? []).map(({ status, at }) => ({ status, at: toUtcTimestamp(at) })),
  }
}

function lineOf(row: Static<typeof OrderLineRow>, amount: AmountFormatter): OrderLine {
  const { sku, name = sku, quantity, uom, tax } = row
  return {
    ...{ sku, name: name.slice(0, TEXT), quantity: formatDecimal(quantity), uom, order_uom: row.order_uom || null },
    order_quantity: row.order_quantity ? formatDecimal(row.order_quantity) : null,
    unit_price: amount(row.unit_price),
    list_unit_price: row.list_unit_price ? amount(row.list_unit_price) : null,
    discount: amount(row.discount || '0'),
    tax: { code: tax.code, rate: formatDecimal(tax.rate), amount: amount(tax.amount) },
    line_total: amount(row.line_total),
  }
}

function totalsOf(row: Static<typeof OrderRow>['totals'], amount: AmountFormatter): OrderTotals {
  return {
    subtotal: amount(row.subtotal),
    discount_total: amount(row.discount_total || '0'),
    tax_total: amount(row.tax_total),
    shipping_total: amount(row.shipping_total || '0'),
    total: amount(row.total),
    taxes: (row.taxes ?? []).map((tax) => toTaxTotal(tax, amount)),
    tax_included: row.tax_included,
  }
}

export function toTaxTotal(row: Static<typeof TaxRow>, amount: AmountFormatter): TaxTotal {
  const { code, name = code, rate } = row
  return {
    code,
    name: name.slice(0, TEXT),
    rate: formatDecimal(rate),
    base: amount(row.base),
    amount: amount(row.amount),
  }
}

function shipmentOf(row: Static<typeof ShipmentRow>): Shipment {
  return {
    shipment_id: row.shipment_id,
    carrier: truncateText(row.carrier, TEXT),
    tracking_number: truncateText(row.tracking_number, TEXT),
    tracking_url: toHttpUrl(row.tracking_url),
    shipped_at: toUtcTimestamp(row.shipped_at),
    lines: row.lines.map(({ sku, quantity }) => ({ sku, quantity: formatDecimal(quantity) })),
  }
}

export function toPayment(row: Static<typeof PaymentRow>, amount: AmountFormatter): Payment {
  return {
    session_id: row.session_id || null,
    status: row.status,
    amount_due: amount(row.amount_due),
    amount_paid: amount(row.amount_paid),
    redirect_url: toHttpUrl(row.redirect_url),
    expires_at: toUtcTimestampOrNull(row.expires_at),
    updated_at: toUtcTimestamp(row.updated_at),
  }
}
