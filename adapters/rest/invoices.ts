import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { AccountingPort } from '../../src/ports/accounting.ts'
import type { Invoice, InvoiceLine } from '../../src/ports/invoice.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { formatDecimal } from '../decimal-format.ts'
import { parseRows } from '../parse-rows.ts'
import { AddressRow, toAddressOrNull } from './address-mapping.ts'
import { createChangeFeed } from './change-feed.ts'
import { createInvoiceDocumentReader } from './invoice-document-reader.ts'
import { type AmountFormatter, toTaxTotal } from './order-mapping.ts'
import { TaxRow } from './order-schemas.ts'
import type { ProtocolClient } from './protocol-client.ts'
import {
  DateString,
  DecimalString,
  IdString,
  nullish,
  PageOfRows,
  stringEnum,
  toUtcTimestamp,
  truncateText,
} from './protocol-values.ts'

const MAX_TEXT_LENGTH = 300

const LineRow = Type.Object({
  sku: nullish(Type.String()),
  description: Type.String(),
  quantity: DecimalString,
  uom: nullish(Type.String()),
  unit_price: DecimalString,
  discount: nullish(DecimalString),
  tax: DecimalString,
  line_total: DecimalString,
})

const InvoiceRow = Type.Object({
  invoice_id: IdString,
  invoice_number: Type.String(),
  customer_id: Type.String(),
  order_id: nullish(Type.String()),
  order_reference: nullish(Type.String()),
  order_number: nullish(Type.String()),
  po_number: nullish(Type.String()),
  type: Type.Optional(stringEnum('INVOICE', 'CREDIT_NOTE')),
  status: stringEnum('OPEN', 'PARTIALLY_PAID', 'PAID', 'VOID'),
  issued_at: Type.String(),
  due_date: DateString,
  terms: nullish(Type.String()),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  lines: Type.Array(LineRow),
  taxes: nullish(Type.Array(TaxRow)),
  subtotal: DecimalString,
  tax_total: DecimalString,
  total: DecimalString,
  amount_paid: DecimalString,
  balance: DecimalString,
  payments: nullish(
    Type.Array(
      Type.Object({
        paid_at: Type.String(),
        amount: DecimalString,
        method: nullish(Type.String()),
        reference: nullish(Type.String()),
      }),
    ),
  ),
  billing_address: nullish(AddressRow),
})
const InvoiceShape = responseSchema(InvoiceRow)
const ChangedInvoiceRow = Type.Object({ ...InvoiceRow.properties, updated_at: Type.String() })

export function connectInvoices(
  protocol: ProtocolClient,
  formatAmount: AmountFormatter,
): Required<Pick<AccountingPort, 'invoice' | 'invoiceDocument' | 'invoices' | 'invoiceChanges'>> {
  const { json, jsonOrNull } = protocol
  const toInvoiceOfCustomer = (customerId: string, row: Static<typeof InvoiceRow>) =>
    row.customer_id === customerId ? toInvoice(row, formatAmount) : null

  return {
    async invoice(customerId, invoiceId, call) {
      const path = `/invoices/${encodeURIComponent(invoiceId)}`
      const request = { method: 'GET', path, query: { customer_id: customerId } } as const
      const row = await jsonOrNull(InvoiceShape, request, call)
      if (row && row.invoice_id !== invoiceId) throw new UpstreamError('invalid', 'the response holds another invoice')
      return row && toInvoiceOfCustomer(customerId, row)
    },
    invoiceDocument: createInvoiceDocumentReader(protocol),
    async invoices(customerId, { limit, offset, status, order_id, today }, call) {
      const query = { customer_id: customerId, status, order_id, today, limit, offset }
      const page = await json(PageOfRows, { method: 'GET', path: '/invoices', query, rows: limit }, call)
      const rows = parseRows(page.data.slice(0, limit), InvoiceShape, (row) => toInvoiceOfCustomer(customerId, row))
      return {
        invoices: rows.filter((invoice) => invoice !== null),
        total: page.total ?? null,
        has_more: page.has_more || page.data.length > limit,
      }
    },
    invoiceChanges: createChangeFeed(protocol, '/changes/invoices', ChangedInvoiceRow, (row) => ({
      ...toInvoice(row, formatAmount),
      customer_id: row.customer_id,
      updated_at: toUtcTimestamp(row.updated_at),
    })),
  }
}

function toInvoice(row: Static<typeof InvoiceRow>, formatAmount: AmountFormatter): Invoice {
  const { invoice_id, invoice_number, type = 'INVOICE', status, due_date, currency } = row
  return {
    invoice_id,
    invoice_number,
    type,
    status,
    due_date,
    currency,
    order_id: row.order_id || null,
    order_reference: row.order_reference || null,
    order_number: row.order_number || null,
    po_number: truncateText(row.po_number, MAX_TEXT_LENGTH),
    issued_at: toUtcTimestamp(row.issued_at),
    terms: truncateText(row.terms, MAX_TEXT_LENGTH),
    lines: row.lines.map((line) => toLine(line, formatAmount)),
    taxes: (row.taxes ?? []).map((tax) => toTaxTotal(tax, formatAmount)),
    subtotal: formatAmount(row.subtotal),
    tax_total: formatAmount(row.tax_total),
    total: formatAmount(row.total),
    amount_paid: formatAmount(row.amount_paid),
    balance: formatAmount(row.balance),
    payments: (row.payments ?? []).map((payment) => ({
      paid_at: toUtcTimestamp(payment.paid_at),
      amount: formatAmount(payment.amount),
      method: truncateText(payment.method, MAX_TEXT_LENGTH),
      reference: truncateText(payment.reference, MAX_TEXT_LENGTH),
    })),
    billing_address: toAddressOrNull(row.billing_address),
  }
}

function toLine(row: Static<typeof LineRow>, formatAmount: AmountFormatter): InvoiceLine {
  return {
    sku: row.sku || null,
    description: row.description.slice(0, MAX_TEXT_LENGTH),
    quantity: formatDecimal(row.quantity),
    uom: row.uom || null,
    unit_price: formatAmount(row.unit_price),
    discount: formatAmount(row.discount || '0'),
    tax: formatAmount(row.tax),
    line_total: formatAmount(row.line_total),
  }
}
