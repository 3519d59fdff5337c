import { Decimal } from 'decimal.js'
import type { Order, OrderStatus } from '../../../src/ports/order.ts'
import { toIsoTime, toText } from '../client/odoo-values.ts'
import { toAddress } from '../customers/addresses.ts'
import { hasDraftLines } from './has-draft-lines.ts'
import type { OrderAttachments } from './order-attachments.ts'
import { toOrderLines } from './order-lines.ts'
import { toShipments } from './order-shipments.ts'
import type { OrderSources } from './order-sources.ts'
import { toStatus } from './order-status.ts'
import { toOrderTotals } from './order-totals.ts'
import type { SaleRow } from './sale-schemas.ts'

/** Returns an order as Odoo has it, with the members of its draft that Odoo does not store. */
export function toOrder(row: SaleRow, { decision, cancellation }: OrderAttachments, sources: OrderSources): Order {
  // After staff gave the order to another customer, that customer may not see what the first one wrote.
  const draft = decision?.draft?.customer_id === String(row.partner_id) ? decision.draft : null
  const status = toStatus(row)
  const lines = toOrderLines(row, sources)
  // Staff may have changed the order: then its lines and totals are those of Odoo.
  const isUnchanged =
    draft !== null && hasDraftLines(row, draft, sources) && new Decimal(row.amount_total).eq(draft.totals.total)
  const cancelledAt = status === 'CANCELLED' ? (cancellation?.at ?? toIsoTime(row.write_date)) : null
  return {
    order_id: String(row.id),
    order_number: row.name,
    reference: decision?.reference ?? null,
    customer_id: String(row.partner_id),
    currency: sources.facts.currency,
    payment_method: draft?.payment_method ?? 'CREDIT_TERMS',
    fulfillment_method: draft?.fulfillment_method ?? 'DELIVERY',
    ...(draft?.delivery && { delivery: draft.delivery }),
    shipping_address: draft ? draft.shipping_address : toOwnAddress(row.partner_shipping_id, sources),
    billing_address: draft ? draft.billing_address : toOwnAddress(row.partner_invoice_id, sources),
    contact: draft?.contact ?? null,
    po_number: toText(row.client_order_ref),
    notes: draft?.notes ?? null,
    requested_date: row.commitment_date ? row.commitment_date.slice(0, 10) : null,
    lines: isUnchanged ? draft.lines : lines,
    promotions: isUnchanged ? draft.promotions : [],
    totals: isUnchanged ? draft.totals : toOrderTotals(row, lines, sources),
    status,
    payment_status: 'NOT_REQUIRED',
    placed_at: toIsoTime(row.date_order),
    updated_at: toUpdatedAt(row),
    shipments: toShipments(row),
    invoiced: row.invoice_ids.some(({ state }) => state === 'posted'),
    cancelled_at: cancelledAt,
    cancel_reason: status === 'CANCELLED' ? (cancellation?.reason ?? null) : null,
    history: toHistory(row, status, cancelledAt),
  }
}

const toOwnAddress = (partner: SaleRow['partner_shipping_id'], { countryCode }: OrderSources) =>
  partner ? toAddress(partner, countryCode) : null

interface Written {
  write_date: string
}

/** Returns the latest write of an order, its deliveries and its invoices. */
export function toUpdatedAt(
  row: Written & { picking_ids: readonly Written[]; invoice_ids: readonly Written[] },
): string {
  const times = [row, ...row.picking_ids, ...row.invoice_ids].map(({ write_date }) => write_date)
  return toIsoTime(times.reduce((latest, time) => (time > latest ? time : latest)))
}

function toHistory(row: SaleRow, status: OrderStatus, cancelledAt: string | null): Order['history'] {
  const confirmed = { status: 'CONFIRMED' as const, at: toIsoTime(row.date_order) }
  if (cancelledAt !== null) return [confirmed, { status: 'CANCELLED', at: cancelledAt }]
  const latest = toShipments(row).at(-1)?.shipped_at
  const isShipping = status === 'SHIPPED' || status === 'PARTIALLY_SHIPPED'
  return isShipping && latest !== undefined ? [confirmed, { status, at: latest }] : [confirmed]
}
