import type { Static } from 'typebox'
import type { Order, OrderLine, OrderTotals, Payment, Shipment, TaxTotal } from '../../src/ports/order.ts'
import { formatDecimal } from '../decimal-format.ts'
import { toAddressOrNull } from './address-mapping.ts'
import { toOrderDelivery } from './delivery-mapping.ts'
import type { OrderLineRow, OrderRow, PaymentRow, ShipmentRow, TaxRow } from './order-schemas.ts'
import { toHttpUrl, toUtcTimestamp, toUtcTimestampOrNull, truncateText } from './protocol-values.ts'

const MAX_TEXT_LENGTH = 300
const MAX_NOTES_LENGTH = 4_000

export type AmountFormatter = (value: string) => string

export function toOrder(row: Static<typeof OrderRow>, formatAmount: AmountFormatter): Order {
  const { order_id, order_number, customer_id, currency, status, payment_status, payment_method, invoiced } = row
  const { fulfillment_method = 'DELIVERY', requested_date = null, contact } = row
  return {
    order_id,
    order_number,
    reference: row.reference || null,
    customer_id,
    currency,
    status,
    payment_status,
    payment_method,
    fulfillment_method,
    requested_date,
    invoiced,
    ...(row.delivery && { delivery: toOrderDelivery(row.delivery) }),
    shipping_address: toAddressOrNull(row.shipping_address),
    billing_address: toAddressOrNull(row.billing_address),
    contact: contact
      ? {
          name: truncateText(contact.name, MAX_TEXT_LENGTH),
          phone: truncateText(contact.phone, MAX_TEXT_LENGTH),
          email: truncateText(contact.email, MAX_TEXT_LENGTH),
        }
      : null,
    po_number: truncateText(row.po_number, MAX_TEXT_LENGTH),
    notes: truncateText(row.notes, MAX_NOTES_LENGTH),
    lines: row.lines.map((line) => toLine(line, formatAmount)),
    promotions: (row.promotions ?? []).map(({ code, description, discount }) => ({
      code: code.slice(0, MAX_TEXT_LENGTH),
      description: truncateText(description, MAX_TEXT_LENGTH),
      discount: formatAmount(discount),
    })),
    totals: toTotals(row.totals, formatAmount),
    placed_at: toUtcTimestamp(row.placed_at),
    updated_at: toUtcTimestamp(row.updated_at),
    shipments: (row.shipments ?? []).map(toShipment),
    cancelled_at: toUtcTimestampOrNull(row.cancelled_at),
    cancel_reason: truncateText(row.cancel_reason, MAX_TEXT_LENGTH),
    history: (row.history ?? []).map(({ status, at }) => ({ status, at: toUtcTimestamp(at) })),
  }
}

function toLine(row: Static<typeof OrderLineRow>, formatAmount: AmountFormatter): OrderLine {
  const { sku, name = sku, quantity, uom, tax } = row
  return {
    sku,
    name: name.slice(0, MAX_TEXT_LENGTH),
    quantity: formatDecimal(quantity),
    uom,
    order_uom: row.order_uom || null,
    order_quantity: row.order_quantity ? formatDecimal(row.order_quantity) : null,
    unit_price: formatAmount(row.unit_price),
    list_unit_price: row.list_unit_price ? formatAmount(row.list_unit_price) : null,
    discount: formatAmount(row.discount || '0'),
    tax: { code: tax.code, rate: formatDecimal(tax.rate), amount: formatAmount(tax.amount) },
    line_total: formatAmount(row.line_total),
  }
}

function toTotals(row: Static<typeof OrderRow>['totals'], formatAmount: AmountFormatter): OrderTotals {
  return {
    subtotal: formatAmount(row.subtotal),
    discount_total: formatAmount(row.discount_total || '0'),
    tax_total: formatAmount(row.tax_total),
    shipping_total: formatAmount(row.shipping_total || '0'),
    total: formatAmount(row.total),
    taxes: (row.taxes ?? []).map((tax) => toTaxTotal(tax, formatAmount)),
    tax_included: row.tax_included,
  }
}

export function toTaxTotal(row: Static<typeof TaxRow>, formatAmount: AmountFormatter): TaxTotal {
  const { code, name = code, rate } = row
  return {
    code,
    name: name.slice(0, MAX_TEXT_LENGTH),
    rate: formatDecimal(rate),
    base: formatAmount(row.base),
    amount: formatAmount(row.amount),
  }
}

function toShipment(row: Static<typeof ShipmentRow>): Shipment {
  return {
    shipment_id: row.shipment_id,
    carrier: truncateText(row.carrier, MAX_TEXT_LENGTH),
    tracking_number: truncateText(row.tracking_number, MAX_TEXT_LENGTH),
    tracking_url: toHttpUrl(row.tracking_url),
    shipped_at: toUtcTimestamp(row.shipped_at),
    lines: row.lines.map(({ sku, quantity }) => ({ sku, quantity: formatDecimal(quantity) })),
  }
}

export function toPayment(row: Static<typeof PaymentRow>, formatAmount: AmountFormatter): Payment {
  return {
    session_id: row.session_id || null,
    status: row.status,
    amount_due: formatAmount(row.amount_due),
    amount_paid: formatAmount(row.amount_paid),
    redirect_url: toHttpUrl(row.redirect_url),
    expires_at: toUtcTimestampOrNull(row.expires_at),
    updated_at: toUtcTimestamp(row.updated_at),
  }
}
