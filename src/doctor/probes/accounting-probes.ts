import type { AccountingPort } from '../../ports/accounting.ts'
import {
  defineProbe,
  missingInput,
  type OperationProbe,
  operationNotOffered,
  recentChangesQuery,
  skippedWriteProbe,
} from '../operation-probe.ts'

export const missingCustomer = missingInput('customer', 'Name one: --customer <id or mailbox>')
const noSku = missingInput('SKU', 'Configure an inventory, or mend its search first')
const noOrder = missingInput('order', 'Ask again when the customer has ordered, or name another with --customer')
const noInvoice = missingInput('invoice', 'Ask again when the customer has an invoice, or name another with --customer')
const FEW = { limit: 5, offset: 0 }

/** Every read of a ledger. Its feeds teach a customer where none is named. */
export const accountingProbes = (port: AccountingPort): OperationProbe[] => [
  defineProbe({
    operation: 'taxes',
    prepare: ({ skus }) => (skus.length === 0 ? noSku : (call) => port.taxes(skus.slice(0, port.maxSkus), null, call)),
    evaluate: (taxes) => (taxes.length === 0 ? untaxed : null),
  }),
  defineProbe({
    operation: 'orderChanges',
    prepare: (known) =>
      port.orderChanges
        ? (call) => port.orderChanges!(recentChangesQuery(known), call)
        : operationNotOffered('orderChanges'),
    isBackground: true,
  }),
  defineProbe({
    operation: 'invoiceChanges',
    prepare: (known) =>
      port.invoiceChanges
        ? (call) => port.invoiceChanges!(recentChangesQuery(known), call)
        : operationNotOffered('invoiceChanges'),
    isBackground: true,
  }),
  ...customers(port),
  ...orders(port),
  ...invoices(port),
  skippedWriteProbe('createCustomer', port.createCustomer !== undefined),
  skippedWriteProbe('placeOrder', port.placeOrder !== undefined),
  skippedWriteProbe('cancelOrder', port.cancelOrder !== undefined),
]

const untaxed = {
  finding: 'no product has a tax: none can be sold',
  remedy: 'Give the products taxes in the ledger (one of rate 0 where there is none)',
  failed: true,
}

const customers = (port: AccountingPort): OperationProbe[] => [
  defineProbe({
    operation: 'customer',
    prepare({ customerId }) {
      if (!port.customer) return operationNotOffered('customer')
      return customerId === undefined ? missingCustomer : (call) => port.customer!(customerId, call)
    },
    learn(customer, known) {
      if (customer?.email) known.email = customer.email
    },
    evaluate: (customer, { customerId }) => (customer ? null : nobody(customerId)),
  }),
  defineProbe({
    operation: 'findCustomer',
    prepare({ email: mailbox }) {
      if (!port.findCustomer) return operationNotOffered('findCustomer')
      return mailbox === undefined ? missingCustomer : (call) => port.findCustomer!(mailbox, call)
    },
    evaluate: (found, { customerId }) => (found?.customer_id === customerId ? null : another),
  }),
  defineProbe({
    operation: 'taxes (of a customer)',
    prepare({ skus, customerId }) {
      if (customerId === undefined) return missingCustomer
      return skus.length === 0 ? noSku : (call) => port.taxes(skus.slice(0, port.maxSkus), customerId, call)
    },
  }),
  defineProbe({
    operation: 'credit',
    prepare({ customerId }) {
      if (!port.credit) return operationNotOffered('credit')
      return customerId === undefined ? missingCustomer : (call) => port.credit!(customerId, call)
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

const orders = (port: AccountingPort): OperationProbe[] => [
  defineProbe({
    operation: 'orders',
    prepare({ customerId }) {
      if (!port.orders) return operationNotOffered('orders')
      return customerId === undefined ? missingCustomer : (call) => port.orders!(customerId, FEW, call)
    },
    learn({ orders: [first] }, known) {
      if (first) known.orderId = first.order_id
    },
  }),
  defineProbe({
    operation: 'order',
    prepare({ customerId, orderId }) {
      if (!port.order) return operationNotOffered('order')
      if (customerId === undefined) return missingCustomer
      return orderId === undefined ? noOrder : (call) => port.order!(customerId, { order_id: orderId }, call)
    },
    evaluate: (order) => (order ? null : lost('order')),
  }),
  defineProbe({
    operation: 'payment',
    prepare({ customerId, orderId }) {
      if (!port.payment) return operationNotOffered('payment')
      if (customerId === undefined) return missingCustomer
      return orderId === undefined ? noOrder : (call) => port.payment!(customerId, { order_id: orderId }, call)
    },
  }),
]

const lost = (what: string) => ({
  finding: `the ${what} of the customer's list is not found by its id`,
  remedy: `Look at how the system reads one ${what}`,
  failed: true,
})

const invoices = (port: AccountingPort): OperationProbe[] => [
  defineProbe({
    operation: 'invoices',
    prepare({ customerId, now }) {
      if (!port.invoices) return operationNotOffered('invoices')
      const today = now.toISOString().slice(0, 10)
      return customerId === undefined ? missingCustomer : (call) => port.invoices!(customerId, { ...FEW, today }, call)
    },
    learn({ invoices: [first] }, known) {
      if (first) known.invoiceId = first.invoice_id
    },
  }),
  defineProbe({
    operation: 'invoice',
    prepare({ customerId, invoiceId }) {
      if (!port.invoice) return operationNotOffered('invoice')
      if (customerId === undefined) return missingCustomer
      return invoiceId === undefined ? noInvoice : (call) => port.invoice!(customerId, invoiceId, call)
    },
    evaluate: (invoice) => (invoice ? null : lost('invoice')),
  }),
]
