import { HttpError } from '../http/http-error.ts'
import { paginate } from '../inventory/product-search.ts'
import { ExactDecimal, formatAmount } from '../money.ts'
import type { Invoice } from '../protocol/invoice-operations.ts'
import type { OperationHandlers } from '../protocol/operation-handlers.ts'
import { changePage } from '../storage/change-page.ts'
import type { DocumentRow, DocumentStore } from '../storage/document-store.ts'
import { createMonotonicClock } from '../storage/monotonic-clock.ts'
import type { CustomerStore } from './customer-store.ts'
import type { OrderStore, StoredOrder } from './order-store.ts'

/** An invoice as it is kept, with when it last changed. */
export type StoredInvoice = Invoice & { updated_at: string }

export interface InvoiceStore {
  forCustomer(customerId: string): readonly StoredInvoice[]
  all(): StoredInvoice[]
  /** Invoices a whole order, payable by the customer's terms. */
  issue(order: StoredOrder): StoredInvoice
  /** Takes a payment; without an amount, of all that is open. */
  settle(invoiceId: string, amount?: string): StoredInvoice
  /** Takes back an invoice that nothing was paid of: its order may be invoiced again. */
  void(invoiceId: string): StoredInvoice
  handlers: Pick<OperationHandlers<'accounting'>, 'listInvoices' | 'readInvoice' | 'listInvoiceChanges'>
}

const DAY_MS = 86_400_000

export function openInvoiceStore(
  store: DocumentStore,
  customers: CustomerStore,
  book: OrderStore,
  now: () => Date,
): InvoiceStore {
  const invoices = store.all<StoredInvoice>('invoices')
  const changed = createMonotonicClock(now, invoices.values())
  const byCustomer = Map.groupBy(
    [...invoices.values()].sort((a, b) => a.issued_at.localeCompare(b.issued_at)).map((invoice) => invoice.invoice_id),
    (id) => invoices.get(id)!.customer_id,
  )
  const of = (customerId: string) => byCustomer.get(customerId)?.map((id) => invoices.get(id)!) ?? []
  const absent = () => new HttpError(404, 'not_found', 'there is no such invoice')

  /** An invoice that is still to be paid, or a Refusal that says why it is not. */
  function open(invoiceId: string): StoredInvoice {
    const invoice = invoices.get(invoiceId)
    if (!invoice) throw absent()
    if (invoice.status === 'PAID' || invoice.status === 'VOID')
      throw new HttpError(409, 'not_open', `${invoiceId} is ${invoice.status} already`)
    return invoice
  }

  /** Its order has changed with it. */
  function keep(given: StoredInvoice, of = book.order(given.order_id ?? '')): StoredInvoice {
    const invoice = { ...given, updated_at: changed() }
    const row: DocumentRow = ['invoices', invoice.invoice_id, invoice]
    if (of) book.save(of, [row])
    else store.putAll([row])
    invoices.set(invoice.invoice_id, invoice)
    return invoice
  }

  return {
    forCustomer: of,
    all: () => [...invoices.values()],
    issue(order) {
      const { credit } = customers.require(order.customer_id)
      const terms = order.payment_method === 'CREDIT_TERMS' ? credit?.terms : undefined
      const made = buildInvoice(order, `IN-${200_001 + invoices.size}`, now(), terms)
      const invoice = keep(made, { ...order, invoiced: true })
      byCustomer.set(order.customer_id, [...(byCustomer.get(order.customer_id) ?? []), invoice.invoice_id])
      return invoice
    },
    settle(invoiceId, amount) {
      const before = open(invoiceId)
      return keep(applyInvoicePayment(before, amount ?? before.balance, now().toISOString()))
    },
    void(invoiceId) {
      const before = open(invoiceId)
      if (before.payments.length > 0) throw new HttpError(409, 'partly_paid', `something of ${invoiceId} is paid`)
      const order = book.order(before.order_id ?? '')
      return keep(markInvoiceVoid(before, now().toISOString()), order && { ...order, invoiced: false })
    },
    handlers: {
      listInvoices({ query: { customer_id, status, order_id, today, limit, offset } }) {
        const matching = of(customer_id).filter(
          (invoice) =>
            (order_id === undefined || invoice.order_id === order_id) &&
            (status === undefined || statusOn(today, invoice) === status),
        )
        const { rows, total, has_more } = paginate(matching.toReversed(), limit, offset)
        return { data: rows, total, has_more }
      },
      readInvoice({ params: { invoice_id }, query: { customer_id } }) {
        const invoice = invoices.get(invoice_id)
        if (invoice?.customer_id !== customer_id) throw absent()
        return invoice
      },
      listInvoiceChanges: ({ query }) => changePage(invoices.values(), ({ invoice_id }) => invoice_id, query),
    },
  }
}

function statusOn(today: string, { status, due_date }: Invoice): Invoice['status'] | 'OVERDUE' {
  return (status === 'OPEN' || status === 'PARTIALLY_PAID') && due_date < today ? 'OVERDUE' : status
}

/** An invoice of a whole order, with nothing paid. */
export function buildInvoice(
  order: StoredOrder,
  invoiceId: string,
  issuedAt: Date,
  terms: { code: string; days: number } | undefined,
): StoredInvoice {
  const { subtotal, tax_total, total, taxes } = order.totals
  return {
    ...{ invoice_id: invoiceId, invoice_number: invoiceId.replace('-', ''), customer_id: order.customer_id },
    ...{ order_id: order.order_id, order_reference: order.reference, order_number: order.order_number },
    ...{ po_number: order.po_number, type: 'INVOICE', status: 'OPEN', issued_at: issuedAt.toISOString() },
    due_date: new Date(issuedAt.getTime() + (terms?.days ?? 0) * DAY_MS).toISOString().slice(0, 10),
    terms: terms?.code ?? null,
    currency: order.currency,
    lines: order.lines.map(({ sku, name, quantity, uom, unit_price, discount, tax, line_total }) => ({
      ...{ sku, description: name, quantity, uom, unit_price, discount, tax: tax.amount, line_total },
    })),
    ...{ taxes, subtotal, tax_total, total, amount_paid: formatAmount(0), balance: total, payments: [] },
    billing_address: order.billing_address,
    updated_at: issuedAt.toISOString(),
  }
}

/** The invoice after a payment, which is never more than what is open. */
export function applyInvoicePayment(invoice: StoredInvoice, amount: string, at: string): StoredInvoice {
  const paid = ExactDecimal.min(amount, invoice.balance)
  const balance = new ExactDecimal(invoice.balance).minus(paid)
  return {
    ...invoice,
    status: balance.isZero() ? 'PAID' : 'PARTIALLY_PAID',
    amount_paid: formatAmount(paid.plus(invoice.amount_paid)),
    balance: formatAmount(balance),
    payments: [
      ...invoice.payments,
      { paid_at: at, amount: formatAmount(paid), method: 'BANK_TRANSFER', reference: null },
    ],
    updated_at: at,
  }
}

export function markInvoiceVoid(invoice: StoredInvoice, at: string): StoredInvoice {
  return { ...invoice, status: 'VOID', balance: formatAmount(0), updated_at: at }
}
