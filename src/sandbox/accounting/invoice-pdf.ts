import type { Invoice } from '../protocol/invoice-operations.ts'
import { createPdf, type PdfLine } from './pdf-writer.ts'

const LEFT = 50
const COLUMNS = [LEFT, 140, 350, 420, 490] as const
const MAX_TEXT_LENGTH = 36

/** Returns the PDF of an invoice of the demo merchant. */
export const createInvoicePdf = (invoice: Invoice): Buffer =>
  createPdf([...toHeader(invoice), blank, ...toTable(invoice), blank, ...toTotals(invoice)])

const line = (text: string, size?: number): PdfLine => ({ ...(size && { size }), texts: [{ at: LEFT, text }] })
const blank: PdfLine = { texts: [] }

/** A row of the table; longer texts are cut, so that columns do not overlap. */
const row = (...cells: string[]): PdfLine => ({
  texts: cells.map((text, column) => ({ at: COLUMNS[column]!, text: text.slice(0, MAX_TEXT_LENGTH) })),
})

function toHeader(invoice: Invoice): PdfLine[] {
  const { billing_address: address } = invoice
  const title = invoice.type === 'CREDIT_NOTE' ? 'Credit note' : 'Invoice'
  const addressLines = address ? [address.line1, address.line2, address.city] : []
  return [
    line(`${title} ${invoice.invoice_number}`, 18),
    line(`Issued ${invoice.issued_at.slice(0, 10)}, due ${invoice.due_date}`),
    line(`Order ${invoice.order_number ?? '-'}, your reference ${invoice.po_number ?? '-'}`),
    blank,
    ...addressLines.flatMap((text) => (text ? [line(text)] : [])),
  ]
}

const toTable = ({ lines }: Invoice): PdfLine[] => [
  row('SKU', 'Description', 'Quantity', 'Tax', 'Total'),
  ...lines.map(({ sku, description, quantity, uom, tax, line_total }) =>
    row(sku ?? '', description, `${quantity} ${uom ?? ''}`, tax, line_total),
  ),
]

const toTotals = ({ currency, subtotal, tax_total, total, amount_paid, balance }: Invoice): PdfLine[] => {
  const totals = { Subtotal: subtotal, Tax: tax_total, Total: total, Paid: amount_paid, Balance: balance }
  return Object.entries(totals).map(([name, amount]) => row('', '', '', name, `${amount} ${currency}`))
}
