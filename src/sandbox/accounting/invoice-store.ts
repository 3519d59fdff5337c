import { HttpError } from '../http/http-error.ts'
import { ExactDecimal, formatAmount, sumAmounts } from '../money.ts'
import type { Invoice } from '../protocol/invoice-operations.ts'
import type { OperationHandlers } from '../protocol/operation-handlers.ts'
import { changePage } from '../storage/change-page.ts'
import type { DocumentRow, DocumentStore } from '../storage/document-store.ts'
import { createMonotonicClock } from '../storage/monotonic-clock.ts'
import { paginate } from '../storage/paginate.ts'
import type { CustomerStore } from './customer-store.ts'
import { createInvoicePdf } from './invoice-pdf.ts'
import type { OrderStore, StoredOrder } from './order-store.ts'

/** A stored invoice, with the time of its last change. */
export type StoredInvoice = Invoice & { updated_at: string }

export interface InvoiceStore {
  listForCustomer(customerId: string): readonly StoredInvoice[]
  all(): StoredInvoice[]
  /** Invoices a whole order, due by the customer's payment terms. */
  issue(order: StoredOrder): StoredInvoice
  /** Records a payment; without an amount, of the whole balance. */
  settle(invoiceId: string, amount?: string): StoredInvoice
  /** Voids an invoice without payments: its order may be invoiced again. */
  void(invoiceId: string): StoredInvoice
  handlers: Pick<
    OperationHandlers<'accounting'>,
    'listInvoices' | 'readInvoice' | 'readInvoiceDocument' | 'listInvoiceChanges'
  >
}

const DAY_MS = 86_400_000

export function openInvoiceStore(
  store: DocumentStore,
  customers: CustomerStore,
  orders: OrderStore,
  now: () => Date,
): InvoiceStore {
  const invoices = store.all<StoredInvoice>('invoices')
  const nextChangeTime = createMonotonicClock(now, invoices.values())
  const byCustomer = Map.groupBy(
    [...invoices.values()].sort((a, b) => a.issued_at.localeCompare(b.issued_at)).map((invoice) => invoice.invoice_id),
    (id) => invoices.get(id)!.customer_id,
  )
  const listForCustomer = (customerId: string) => byCustomer.get(customerId)?.map((id) => invoices.get(id)!) ?? []
  const notFound = () => new HttpError(404, 'not_found', 'the invoice does not exist')

  function requireOwn(invoiceId: string, customerId: string): StoredInvoice {
    const invoice = invoices.get(invoiceId)
    if (invoice?.customer_id !== customerId) throw notFound()
    return invoice
  }

  /** Returns an unpaid invoice. Throws HttpError when it does not exist, is paid or is void. */
  function requireOpen(invoiceId: string): StoredInvoice {
    const invoice = invoices.get(invoiceId)
    if (!invoice) throw notFound()
    if (invoice.status === 'PAID' || invoice.status === 'VOID')
      throw new HttpError(409, 'not_open', `${invoiceId} is already ${invoice.status}`)
    return invoice
  }

  /** Saves an invoice, together with its order, whose change time moves too. */
  function save(changed: StoredInvoice, order = orders.find(changed.order_id ?? '')): StoredInvoice {
    const invoice = { ...changed, updated_at: nextChangeTime() }
    const row: DocumentRow = ['invoices', invoice.invoice_id, invoice]
    if (order) orders.save(order, [row])
    else store.putAll([row])
    invoices.set(invoice.invoice_id, invoice)
    return invoice
  }

  return {
    listForCustomer,
    all: () => [...invoices.values()],
    issue(order) {
      const { credit } = customers.require(order.customer_id)
      const terms = order.payment_method === 'CREDIT_TERMS' ? credit?.terms : undefined
      const draft = buildInvoice(order, `IN-${200_001 + invoices.size}`, now(), terms)
      const invoice = save(draft, { ...order, invoiced: true })
      byCustomer.set(order.customer_id, [...(byCustomer.get(order.customer_id) ?? []), invoice.invoice_id])
      return invoice
    },
    settle(invoiceId, amount) {
      const invoice = requireOpen(invoiceId)
      return save(applyInvoicePayment(invoice, amount ?? invoice.balance, now().toISOString()))
    },
    void(invoiceId) {
      const invoice = requireOpen(invoiceId)
      if (invoice.payments.length > 0) throw new HttpError(409, 'partly_paid', `${invoiceId} has a payment`)
      const order = orders.find(invoice.order_id ?? '')
      return save(markInvoiceVoid(invoice, now().toISOString()), order && { ...order, invoiced: false })
    },
    handlers: {
      listInvoices({ query: { customer_id, status, order_id, today, limit, offset } }) {
        const matching = listForCustomer(customer_id).filter(
          (invoice) =>
            (order_id === undefined || invoice.order_id === order_id) &&
            (status === undefined || statusOnDay(today, invoice) === status),
        )
        const { rows, total, has_more } = paginate(matching.toReversed(), limit, offset)
        return { data: rows, total, has_more }
      },
      readInvoice: ({ params, query }) => requireOwn(params.invoice_id, query.customer_id),
      readInvoiceDocument({ params, query }) {
        const invoice = requireOwn(params.invoice_id, query.customer_id)
        const tag = `${invoice.invoice_id} ${invoice.updated_at}`
        return { tag, type: 'application/pdf', bytes: createInvoicePdf(invoice) }
      },
      listInvoiceChanges: ({ query }) => changePage(invoices.values(), ({ invoice_id }) => invoice_id, query),
    },
  }
}

function statusOnDay(today: string, { status, due_date }: Invoice): Invoice['status'] | 'OVERDUE' {
  return (status === 'OPEN' || status === 'PARTIALLY_PAID') && due_date < today ? 'OVERDUE' : status
}

/** Returns an unpaid invoice of a whole order. */
export function buildInvoice(
  order: StoredOrder,
  invoiceId: string,
  issuedAt: Date,
  terms: { code: string; days: number } | undefined,
): StoredInvoice {
  const { tax_total, total, taxes } = order.totals
  return {
    invoice_id: invoiceId,
    invoice_number: invoiceId,
    customer_id: order.customer_id,
    order_id: order.order_id,
    order_reference: order.reference,
    order_number: order.order_number,
    po_number: order.po_number,
    type: 'INVOICE',
    status: 'OPEN',
    issued_at: issuedAt.toISOString(),
    due_date: new Date(issuedAt.getTime() + (terms?.days ?? 0) * DAY_MS).toISOString().slice(0, 10),
    terms: terms?.code ?? null,
    currency: order.currency,
    lines: toInvoiceLines(order),
    taxes,
    subtotal: formatAmount(sumAmounts([order.totals.subtotal, order.totals.shipping_total])),
    tax_total,
    total,
    amount_paid: formatAmount(0),
    balance: total,
    payments: [],
    billing_address: order.billing_address,
    updated_at: issuedAt.toISOString(),
  }
}

/** The lines of the order, and one for a delivery that costs something. */
function toInvoiceLines({ lines, totals, delivery }: StoredOrder): Invoice['lines'] {
  const invoiced = lines.map(({ sku, name, quantity, uom, unit_price, discount, tax, line_total }) => ({
    sku,
    description: name,
    quantity,
    uom,
    unit_price,
    discount,
    tax: tax.amount,
    line_total,
  }))
  const { shipping_total, tax_total, total } = totals
  if (new ExactDecimal(shipping_total).isZero()) return invoiced
  const rest = (whole: string, parts: string[]) => formatAmount(new ExactDecimal(whole).minus(sumAmounts(parts)))
  const deliveryLine = {
    sku: null,
    description: delivery?.name ?? 'Delivery',
    quantity: '1',
    uom: null,
    unit_price: shipping_total,
    discount: formatAmount(0),
    tax: rest(
      tax_total,
      invoiced.map(({ tax }) => tax),
    ),
    line_total: rest(
      total,
      invoiced.map(({ line_total }) => line_total),
    ),
  }
  return [...invoiced, deliveryLine]
}

/** Returns the invoice after a payment. An amount above the balance is reduced to the balance. */
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
