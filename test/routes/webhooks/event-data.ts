import type { EventKind } from '../../../src/contract/events/event-types.ts'

const AT = '2026-03-02T12:00:00.000Z'
const total = { amount: '100.00', currency: 'JMD' }

const orderOf = (order_id: string) => ({
  order_id,
  order_number: order_id,
  status: 'SHIPPED',
  payment_status: 'NOT_REQUIRED',
  channel: 'ECOMMERCE',
  currency: 'JMD',
  total,
  item_count: 0,
  po_number: null,
  placed_at: AT,
  updated_at: AT,
  lines: [],
  customer_id: 'C-1',
})

const invoiceOf = (invoice_id: string) => ({
  invoice_id,
  invoice_number: invoice_id,
  order_id: null,
  order_number: null,
  po_number: null,
  type: 'INVOICE',
  status: 'PAID',
  issued_at: AT,
  due_date: '2026-04-01',
  terms: null,
  currency: 'JMD',
  total,
  amount_paid: total,
  balance: { amount: '0.00', currency: 'JMD' },
  days_overdue: 0,
  customer_id: 'C-1',
})

/** Returns the smallest `data` that an event of this type may have. */
export function eventDataOf(type: EventKind, id: string): object {
  if (type === 'order.cancelled') return { ...orderOf(id), cancel_reason: null }
  if (type === 'order.rejected') return { ...orderOf(id), reject_reason: null }
  if (type === 'order.confirmed') return orderOf(id)
  if (type.startsWith('order.')) return { ...orderOf(id), shipments: [] }
  if (type.startsWith('invoice.')) return invoiceOf(id)
  if (type === 'stock.changed') return { sku: id, band: 'LOW', previous_band: 'IN_STOCK', eta: null }
  if (type === 'product.back_in_stock') return { sku: id, band: 'LOW', customer_id: 'C-1', requested_at: AT }
  if (type === 'product.deactivated') return { sku: id, updated_at: AT }
  return { sku: id, name: id, slug: id, active: true, updated_at: AT, changed: ['details'] }
}
