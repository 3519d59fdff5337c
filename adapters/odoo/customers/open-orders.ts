import { Decimal } from 'decimal.js'

/**
 * The confirmed orders of a company and its contacts whose invoices are not all posted, as one condition. An order with
 * draft invoices counts as invoiced in Odoo, but nobody owes a draft yet.
 */
export const openOrderDomain = (commercialId: number): unknown[] => [
  '&',
  ['partner_id', 'child_of', [commercialId]],
  '&',
  ['state', '=', 'sale'],
  '|',
  ['invoice_status', '!=', 'invoiced'],
  ['order_line.invoice_lines.parent_state', '=', 'draft'],
]

/** Returns the part of an order for which no invoice is posted. What is invoiced beyond an order frees no credit for others. */
export const openAmount = (order: { amount_total: number; amount_invoiced: number }): Decimal =>
  Decimal.max(0, new Decimal(order.amount_total).minus(order.amount_invoiced))
