import type { AccountingPort } from '../../ports/accounting.ts'
import { absent, type Question, question, recently, unknown, writes } from '../operation-probe.ts'

export const noCustomer = unknown('customer', 'Name one: --customer <id or mailbox>')
const noSku = unknown('SKU', 'Configure an inventory, or mend its search first')
const noOrder = unknown('order', 'Ask again when the customer has ordered, or name another with --customer')
const noInvoice = unknown('invoice', 'Ask again when the customer has an invoice, or name another with --customer')
const FEW = { limit: 5, offset: 0 }

/** Every read of a ledger. Its feeds teach a customer where none is named. */
export const accountingQuestions = (port: AccountingPort): Question[] => [
  question({
    operation: 'taxes',
    ask: ({ skus }) => (skus.length === 0 ? noSku : (call) => port.taxes(skus.slice(0, port.maxSkus), null, call)),
    judge: (taxes) => (taxes.length === 0 ? untaxed : null),
  }),
  question({
    operation: 'orderChanges',
    ask: (known) => (port.orderChanges ? (call) => port.orderChanges!(recently(known), call) : absent('orderChanges')),
    background: true,
  }),
  question({
    operation: 'invoiceChanges',
    ask: (known) =>
      port.invoiceChanges ? (call) => port.invoiceChanges!(recently(known), call) : absent('invoiceChanges'),
    background: true,
  }),
  ...customers(port),
  ...orders(port),
  ...invoices(port),
  writes('createCustomer', port.createCustomer !== undefined),
  writes('placeOrder', port.placeOrder !== undefined),
  writes('cancelOrder', port.cancelOrder !== undefined),
]

const untaxed = {
  finding: 'no product has a tax: none can be sold',
  remedy: 'Give the products taxes in the ledger (one of rate 0 where there is none)',
  failed: true,
}

const customers = (port: AccountingPort): Question[] => [
  question({
    operation: 'customer',
    ask({ customerId }) {
      if (!port.customer) return absent('customer')
      return customerId === undefined ? noCustomer : (call) => port.customer!(customerId, call)
    },
    learn(customer, known) {
      if (customer?.email) known.mailbox = customer.email
    },
    judge: (customer, { customerId }) => (customer ? null : nobody(customerId)),
  }),
  question({
    operation: 'findCustomer',
    ask({ mailbox }) {
      if (!port.findCustomer) return absent('findCustomer')
      return mailbox === undefined ? noCustomer : (call) => port.findCustomer!(mailbox, call)
    },
    judge: (found, { customerId }) => (found?.customer_id === customerId ? null : another),
  }),
  question({
    operation: 'taxes (of a customer)',
    ask({ skus, customerId }) {
      if (customerId === undefined) return noCustomer
      return skus.length === 0 ? noSku : (call) => port.taxes(skus.slice(0, port.maxSkus), customerId, call)
    },
  }),
  question({
    operation: 'credit',
    ask({ customerId }) {
      if (!port.credit) return absent('credit')
      return customerId === undefined ? noCustomer : (call) => port.credit!(customerId, call)
    },
  }),
]

const nobody = (customerId = '') => ({
  finding: `there is no customer ${customerId}`,
  remedy: 'Name another: --customer <id or mailbox>',
})
const another = {
  finding: "the customer's mailbox finds another customer, or none",
  remedy: 'Give every customer a mailbox of their own: a shopper who registers is linked by it',
}

const orders = (port: AccountingPort): Question[] => [
  question({
    operation: 'orders',
    ask({ customerId }) {
      if (!port.orders) return absent('orders')
      return customerId === undefined ? noCustomer : (call) => port.orders!(customerId, FEW, call)
    },
    learn({ orders: [first] }, known) {
      if (first) known.orderId = first.order_id
    },
  }),
  question({
    operation: 'order',
    ask({ customerId, orderId }) {
      if (!port.order) return absent('order')
      if (customerId === undefined) return noCustomer
      return orderId === undefined ? noOrder : (call) => port.order!(customerId, { order_id: orderId }, call)
    },
    judge: (order) => (order ? null : lost('order')),
  }),
  question({
    operation: 'payment',
    ask({ customerId, orderId }) {
      if (!port.payment) return absent('payment')
      if (customerId === undefined) return noCustomer
      return orderId === undefined ? noOrder : (call) => port.payment!(customerId, { order_id: orderId }, call)
    },
  }),
]

const lost = (what: string) => ({
  finding: `the ${what} of the customer's list is not found by its id`,
  remedy: `Look at how the system reads one ${what}`,
  failed: true,
})

const invoices = (port: AccountingPort): Question[] => [
  question({
    operation: 'invoices',
    ask({ customerId, now }) {
      if (!port.invoices) return absent('invoices')
      const today = now.toISOString().slice(0, 10)
      return customerId === undefined ? noCustomer : (call) => port.invoices!(customerId, { ...FEW, today }, call)
    },
    learn({ invoices: [first] }, known) {
      if (first) known.invoiceId = first.invoice_id
    },
  }),
  question({
    operation: 'invoice',
    ask({ customerId, invoiceId }) {
      if (!port.invoice) return absent('invoice')
      if (customerId === undefined) return noCustomer
      return invoiceId === undefined ? noInvoice : (call) => port.invoice!(customerId, invoiceId, call)
    },
    judge: (invoice) => (invoice ? null : lost('invoice')),
  }),
]
