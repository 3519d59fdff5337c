import type { Invoice } from '../../../../src/ports/invoice.ts'
import { both, changeMethod, changeResult } from './change-port.ts'
import { mutantsOf } from './mutant.ts'

const changeInvoices = (change: (invoice: Invoice) => Invoice) =>
  changeResult('accounting.invoices', (page) => ({ ...page, invoices: page.invoices.map(change) }))

const negate = ({ type, total }: Invoice) => (type === 'CREDIT_NOTE' ? { total: `-${total}` } : {})

export const invoiceMutants = [
  ...mutantsOf(
    'accounting.invoices',
    [
      'lists the oldest invoices first',
      'newest first',
      changeResult('accounting.invoices', (page) => ({ ...page, invoices: page.invoices.toReversed() })),
    ],
    [
      'does not subtract payments from the balance',
      'figures that add up',
      changeInvoices((invoice) => ({ ...invoice, balance: invoice.total })),
    ],
    [
      'treats all unpaid invoices as overdue',
      'overdue on a date',
      changeMethod(
        'accounting.invoices',
        (invoices) => (customer, query, call) => invoices(customer, { ...query, today: '9999-12-31' }, call),
      ),
    ],
    [
      'takes a credit note for an invoice',
      'credit notes from invoices',
      both(
        changeInvoices((invoice) => ({ ...invoice, type: 'INVOICE' })),
        changeResult('accounting.invoice', (invoice) => invoice && { ...invoice, type: 'INVOICE' }),
      ),
    ],
    [
      'has negative amounts for a credit note',
      'positive amounts for both',
      both(
        changeInvoices((invoice) => ({ ...invoice, ...negate(invoice) })),
        changeResult('accounting.invoice', (invoice) => invoice && { ...invoice, ...negate(invoice) }),
      ),
    ],
    [
      'shows an invoice to anybody',
      'those of another customer as absent',
      changeMethod('accounting.invoice', (invoice) => (_, invoiceId, call) => invoice('C-1001', invoiceId, call)),
    ],
    [
      'lists the invoices of all orders of a customer',
      'finds the invoices of an order',
      changeMethod(
        'accounting.invoices',
        (invoices) =>
          (customer, { order_id: _, ...query }, call) =>
            invoices(customer, query, call),
      ),
    ],
  ),
  ...mutantsOf(
    'accounting.invoiceDocument',
    [
      'sends the document of an invoice to anybody',
      'the customer of the invoice alone',
      changeMethod(
        'accounting.invoiceDocument',
        (invoiceDocument) => (_, invoiceId, call) => invoiceDocument('C-1001', invoiceId, call),
      ),
    ],
    [
      'returns an empty document for an unknown invoice',
      'null for an unknown invoice',
      changeResult('accounting.invoiceDocument', (bytes) => bytes ?? new Uint8Array()),
    ],
  ),
]
