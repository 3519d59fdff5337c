import { daysBetween } from '../../calendar/days-between.ts'
import type { Invoice } from '../../ports/invoice.ts'
import { toMoney } from '../money.ts'
import { toAddressView } from '../shoppers/to-address-view.ts'
import type { InvoiceDetail, InvoiceItem } from './invoice.ts'
import { isForecourtOrderReference } from './is-forecourt-order-reference.ts'

type InvoiceDue = Pick<Invoice, 'status' | 'due_date'>

const isOpen = ({ status }: InvoiceDue) => status === 'OPEN' || status === 'PARTIALLY_PAID'

/** Returns the status, OVERDUE included. `today`: YYYY-MM-DD in the merchant's time zone. */
export function toInvoiceStatus(invoice: InvoiceDue, today: string): InvoiceItem['status'] {
  return isOpen(invoice) && invoice.due_date < today ? 'OVERDUE' : invoice.status
}

/** Returns a row of a list. Members are listed one by one, so that no other upstream data gets into the response. */
export function toInvoiceItem(invoice: Invoice, today: string): InvoiceItem {
  const { invoice_id, invoice_number, order_number, po_number, type, issued_at, due_date, terms, currency } = invoice
  const status = toInvoiceStatus(invoice, today)
  const order_id = isForecourtOrderReference(invoice.order_reference) ? invoice.order_reference : invoice.order_id
  return {
    invoice_id,
    invoice_number,
    order_id,
    order_number,
    po_number,
    type,
    status,
    issued_at,
    due_date,
    terms,
    currency,
    total: toMoney(invoice.total, currency),
    amount_paid: toMoney(invoice.amount_paid, currency),
    balance: toMoney(invoice.balance, currency),
    days_overdue: status === 'OVERDUE' ? daysBetween(due_date, today) : 0,
  }
}

export function toInvoiceDetail(invoice: Invoice, today: string): Omit<InvoiceDetail, 'errors'> {
  const money = (amount: string) => toMoney(amount, invoice.currency)
  return {
    ...toInvoiceItem(invoice, today),
    lines: invoice.lines.map(({ sku, description, quantity, uom, unit_price, discount, tax, line_total }) => ({
      sku,
      description,
      quantity: Number(quantity),
      uom,
      unit_price: money(unit_price),
      discount: money(discount),
      tax: money(tax),
      line_total: money(line_total),
    })),
    taxes: invoice.taxes.map(({ code, name, rate, base, amount }) => {
      return { code, name, rate, base: money(base), amount: money(amount) }
    }),
    subtotal: money(invoice.subtotal),
    tax_total: money(invoice.tax_total),
    payments: invoice.payments.map(({ paid_at, amount, method, reference }) => {
      return { paid_at, amount: money(amount), method, reference }
    }),
    billing_address: toAddressView(invoice.billing_address),
  }
}
