import { Decimal } from 'decimal.js'
import type { Specification } from './rpc.ts'

/** A line of an order, with the lines of its invoices. */
export interface InvoicedLine {
  invoice_lines: { id: number; parent_state: string; move_type: string; price_total: number }[]
}

/** The fields of an order that `sumPostedInvoices` needs. */
export const postedInvoiceSpecification: Specification = {
  order_line: { fields: { invoice_lines: { fields: { parent_state: {}, move_type: {}, price_total: {} } } } },
}

/** Returns the amount of the posted invoices of an order, less the credit notes, as Odoo 18 computes it. */
export function sumPostedInvoices(orderLines: readonly InvoicedLine[]): number {
  const lines = new Map(orderLines.flatMap(({ invoice_lines }) => invoice_lines.map((line) => [line.id, line])))
  const amounts = [...lines.values()]
    .filter(({ parent_state }) => parent_state === 'posted')
    .map(({ move_type, price_total }) => new Decimal(price_total).times(move_type === 'out_refund' ? -1 : 1))
  return Decimal.sum(0, ...amounts).toNumber()
}
