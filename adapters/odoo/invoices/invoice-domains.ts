import type { OdooContext } from '../context.ts'

/** Invoices and credit notes that were posted, also those that were cancelled since. */
export const issuedInvoicesDomain = ({ settings, facts }: Pick<OdooContext, 'settings' | 'facts'>): unknown[] => [
  ['company_id', '=', settings.company ?? 1],
  ['move_type', 'in', ['out_invoice', 'out_refund']],
  ['state', 'in', ['posted', 'cancel']],
  ['posted_before', '=', true],
  ['invoice_date', '!=', false],
  // Amounts are in the currency of the invoice.
  ['currency_id.name', '=', facts.currency],
]

/**
 * The invoices of a customer: their own and those of contacts below them, and those of their orders alone, which their
 * company may owe. An invoice to the company for orders of several contacts is the company's.
 */
export const ownInvoicesDomain = (customer: number): unknown[] => [
  '|',
  ['partner_id', 'child_of', [customer]],
  '&',
  ['invoice_line_ids.sale_line_ids.order_id.partner_id', '=', customer],
  ['invoice_line_ids', 'not any', [['sale_line_ids', 'any', [['order_id.partner_id', '!=', customer]]]]],
]
