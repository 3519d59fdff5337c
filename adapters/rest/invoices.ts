import { type Static, Type } from 'typebox'
import type { AccountingPort } from '../../src/ports/accounting.ts'
import type { Invoice, InvoiceLine } from '../../src/ports/invoice.ts'
import { shape } from '../../src/upstream/response-schema.ts'
import { plain } from '../amount-format.ts'
import { readable } from '../parse-rows.ts'
import { AddressRow, addressOrNull } from './addresses.ts'
import { feed } from './change-feed.ts'
import { type AmountOf, taxTotalOf } from './order-mapping.ts'
import { TaxRow } from './order-rows.ts'
import { clamp, Day, Decimal, maybe, moment, oneOf, Paged, type Wire } from './protocol.ts'

const TEXT = 300

const LineRow = Type.Object({
  sku: maybe(Type.String()),
  description: Type.String(),
  quantity: Decimal,
  uom: maybe(Type.String()),
  unit_price: Decimal,
  discount: maybe(Decimal),
  tax: Decimal,
  line_total: Decimal,
})

const InvoiceRow = Type.Object({
  invoice_id: Type.String({ minLength: 1 }),
  invoice_number: Type.String(),
  customer_id: Type.String(),
  order_id: maybe(Type.String()),
  order_reference: maybe(Type.String()),
  order_number: maybe(Type.String()),
  po_number: maybe(Type.String()),
  type: Type.Optional(oneOf('INVOICE', 'CREDIT_NOTE')),
  status: oneOf('OPEN', 'PARTIALLY_PAID', 'PAID', 'VOID'),
  issued_at: Type.String(),
  due_date: Day,
  terms: maybe(Type.String()),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  lines: Type.Array(LineRow),
  taxes: maybe(Type.Array(TaxRow)),
  subtotal: Decimal,
  tax_total: Decimal,
  total: Decimal,
  amount_paid: Decimal,
  balance: Decimal,
  payments: maybe(
    Type.Array(
      Type.Object({
        paid_at: Type.String(),
        amount: Decimal,
        method: maybe(Type.String()),
        reference: maybe(Type.String()),
      }),
    ),
  ),
  billing_address: maybe(AddressRow),
})
const InvoiceShape = shape(InvoiceRow)
const ChangedInvoiceRow = Type.Object({ ...InvoiceRow.properties, updated_at: Type.String() })

export function invoices(
  wire: Wire,
  amount: AmountOf,
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
      const page = await json(Paged, { method: 'GET', path: '/invoices', query }, call)
      const rows = readable(page.data, InvoiceShape, (row) => ownOf(customerId, row))
      return {
        invoices: rows.filter((invoice) => invoice !== null).slice(0, limit),
        total: page.total ?? null,
        has_more: page.has_more || page.data.length > limit,
      }
    },
    invoiceChanges: feed(wire, '/changes/invoices', ChangedInvoiceRow, (row) => ({
      ...invoiceOf(row, amount),
      customer_id: row.customer_id,
      updated_at: moment(row.updated_at),
    })),
  }
}

function invoiceOf(row: Static<typeof InvoiceRow>, amount: AmountOf): Invoice {
  const { invoice_id, invoice_number, type = 'INVOICE', status, due_date, currency } = row
  return {
    ...{ invoice_id, invoice_number, type, status, due_date, currency },
    order_id: row.order_id || null,
    order_reference: row.order_reference || null,
    order_number: row.order_number || null,
    po_number: clamp(row.po_number, TEXT),
    issued_at: moment(row.issued_at),
    terms: clamp(row.terms, TEXT),
    lines: row.lines.map((line) => lineOf(line, amount)),
    taxes: (row.taxes ?? []).map((tax) => taxTotalOf(tax, amount)),
    subtotal: amount(row.subtotal),
    tax_total: amount(row.tax_total),
    total: amount(row.total),
    amount_paid: amount(row.amount_paid),
    balance: amount(row.balance),
    payments: (row.payments ?? []).map((payment) => ({
      paid_at: moment(payment.paid_at),
      amount: amount(payment.amount),
      method: clamp(payment.method, TEXT),
      reference: clamp(payment.reference, TEXT),
    })),
    billing_address: addressOrNull(row.billing_address),
  }
}

function lineOf(row: Static<typeof LineRow>, amount: AmountOf): InvoiceLine {
  return {
    sku: row.sku || null,
    description: row.description.slice(0, TEXT),
    quantity: plain(row.quantity),
    uom: row.uom || null,
    unit_price: amount(row.unit_price),
    discount: amount(row.discount || '0'),
    tax: amount(row.tax),
    line_total: amount(row.line_total),
  }
}
