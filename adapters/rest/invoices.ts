import { type Static, Type } from 'typebox'
import type { AccountingPort } from '../../src/ports/accounting.ts'
import type { Invoice, InvoiceLine } from '../../src/ports/invoice.ts'
import { responseSchema } from '../../src/upstream/response-schema.ts'
import { formatDecimal } from '../amount-format.ts'
import { parseRows } from '../parse-rows.ts'
import { AddressRow, toAddressOrNull } from './addresses.ts'
import { createChangeFeed } from './change-feed.ts'
import { type AmountFormatter, toTaxTotal } from './order-mapping.ts'
import { TaxRow } from './order-rows.ts'
import {
  DateString,
  DecimalString,
  nullish,
  PageOfRows,
  type ProtocolClient,
  stringEnum,
  toUtcTimestamp,
  truncateText,
} from './protocol.ts'

const TEXT = 300

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
  invoice_id: Type.String({ minLength: 1 }),
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
  wire: ProtocolClient,
  amount: AmountFormatter,
): Required<Pick<AccountingPort, 'invoice' | 'invoices' | 'invoiceChanges'>> {
  const { json, jsonOrNull } = wire
  const ownOf = (customerId: string, row: Static<typeof InvoiceRow>) =>
    row.customer_id === customerId ? invoiceOf(row, amount) : null

  return {
    async invoice(customerId, invoiceId, call) {
      const path = `/invoices/${encodeURIComponent(invoiceId)}`
      const exchange = { method: 'GET', path, query: { customer_id: customerId } } as const
      const row = await jsonOrNull(InvoiceShape, exchange, call)
      return row && ownOf(customerId, row)
    },
    async invoices(customerId, { limit, offset, status, order_id, today }, call) {
      const query = { customer_id: customerId, status, order_id, today, limit, offset }
      const page = await json(PageOfRows, { method: 'GET', path: '/invoices', query }, call)
      const rows = parseRows(page.data, InvoiceShape, (row) => ownOf(customerId, row))
      return {
        invoices: rows.filter((invoice) => invoice !== null).slice(0, limit),
        total: page.total ?? null,
        has_more: page.has_more || page.data.length > limit,
      }
    },
    invoiceChanges: createChangeFeed(wire, '/changes/invoices', ChangedInvoiceRow, (row) => ({
      ...invoiceOf(row, amount),
      customer_id: row.customer_id,
      updated_at: toUtcTimestamp(row.updated_at),
    })),
  }
}

function invoiceOf(row: Static<typeof InvoiceRow>, amount: AmountFormatter): Invoice {
  const { invoice_id, invoice_number, type = 'INVOICE', status, due_date, currency } = row
  return {
    ...{ invoice_id, invoice_number, type, status, due_date, currency },
    order_id: row.order_id || null,
    order_reference: row.order_reference || null,
    order_number: row.order_number || null,
    po_number: truncateText(row.po_number, TEXT),
    issued_at: toUtcTimestamp(row.issued_at),
    terms: truncateText(row.terms, TEXT),
    lines: row.lines.map((line) => lineOf(line, amount)),
    taxes: (row.taxes ?? []).map((tax) => toTaxTotal(tax, amount)),
    subtotal: amount(row.subtotal),
    tax_total: amount(row.tax_total),
    total: amount(row.total),
    amount_paid: amount(row.amount_paid),
    balance: amount(row.balance),
    payments: (row.payments ?? []).map((payment) => ({
      paid_at: toUtcTimestamp(payment.paid_at),
      amount: amount(payment.amount),
      method: truncateText(payment.method, TEXT),
      reference: truncateText(payment.reference, TEXT),
    })),
    billing_address: toAddressOrNull(row.billing_address),
  }
}

function lineOf(row: Static<typeof LineRow>, amount: AmountFormatter): InvoiceLine {
  return {
    sku: row.sku || null,
    description: row.description.slice(0, TEXT),
    quantity: formatDecimal(row.quantity),
    uom: row.uom || null,
    unit_price: amount(row.unit_price),
    discount: amount(row.discount || '0'),
    tax: amount(row.tax),
    line_total: amount(row.line_total),
  }
}
