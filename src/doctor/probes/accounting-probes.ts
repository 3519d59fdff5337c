import type { AccountingPort } from '../../ports/accounting.ts'
import { defineProbe, type OperationProbe } from '../operation-probe.ts'
import { recentChangesQuery } from '../recent-changes-query.ts'
import { missingCustomer, missingInput, operationNotOffered, skippedWriteProbe } from '../skipped-probes.ts'

const missingSku = missingInput('SKU', 'Configure an inventory, or fix its search first')
const missingOrder = missingInput('order', 'Name a customer who has ordered: --customer <id or email>')
const missingInvoice = missingInput('invoice', 'Name a customer who has an invoice: --customer <id or email>')
const FIRST_PAGE = { limit: 5, offset: 0 }

/** A probe for every operation of an accounting port. */
export const accountingProbes = (port: AccountingPort): OperationProbe[] => [
  defineProbe({
    operation: 'taxes',
    prepare: ({ skus }) =>
      skus.length === 0 ? missingSku : (call) => port.taxes(skus.slice(0, port.maxSkus), null, call),
    evaluate: (taxes) => (taxes.length === 0 ? noTaxFinding : null),
  }),
  defineProbe({
    operation: 'orderChanges',
    prepare: (inputs) =>
      port.orderChanges
        ? (call) => port.orderChanges!(recentChangesQuery(inputs), call)
        : operationNotOffered('orderChanges'),
    isBackground: true,
  }),
  defineProbe({
    operation: 'invoiceChanges',
    prepare: (inputs) =>
      port.invoiceChanges
        ? (call) => port.invoiceChanges!(recentChangesQuery(inputs), call)
        : operationNotOffered('invoiceChanges'),
    isBackground: true,
  }),
  ...customerProbes(port),
  deliveryProbe(port),
  ...orderProbes(port),
  ...invoiceProbes(port),
  skippedWriteProbe('createCustomer', port.createCustomer !== undefined),
  skippedWriteProbe('placeOrder', port.placeOrder !== undefined),
  skippedWriteProbe('cancelOrder', port.cancelOrder !== undefined),
]

const noTaxFinding = {
  finding: 'no product has a tax, so no product can be sold',
  remedy: 'Give the products taxes in accounting (one with rate 0 if none is due)',
  failed: true,
}

const noDocument = {
  finding: 'there is no PDF of the newest invoice, so shoppers cannot download it',
  remedy: '',
}

const customerProbes = (port: AccountingPort): OperationProbe[] => [
  defineProbe({
    operation: 'customer',
    prepare({ customerId }) {
      if (!port.customer) return operationNotOffered('customer')
      return customerId === undefined ? missingCustomer : (call) => port.customer!(customerId, call)
    },
    learn(customer, inputs) {
      if (customer?.email) inputs.email = customer.email
    },
    evaluate: (customer, { customerId }) => (customer ? null : unknownCustomer(customerId)),
  }),
  defineProbe({
    operation: 'findCustomer',
    prepare({ email }) {
      if (!port.findCustomer) return operationNotOffered('findCustomer')
      return email === undefined ? missingCustomer : (call) => port.findCustomer!(email, call)
    },
    evaluate: (found, { customerId }) => (found?.customer_id === customerId ? null : wrongCustomer),
  }),
  defineProbe({
    operation: 'taxes (of a customer)',
    prepare({ skus, customerId }) {
      if (customerId === undefined) return missingCustomer
      return skus.length === 0 ? missingSku : (call) => port.taxes(skus.slice(0, port.maxSkus), customerId, call)
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

const unknownCustomer = (customerId = '') => ({
  finding: `there is no customer ${customerId}`,
  remedy: 'Name another one: --customer <id or email>',
})
const wrongCustomer = {
  finding: "a search for the customer's email address finds another customer, or none",
  remedy: 'Give every customer a unique email address: Forecourt uses it to link a new shopper to a customer',
}

const deliveryProbe = (port: AccountingPort) =>
  defineProbe({
    operation: 'deliveryOptions',
    prepare({ skus: [sku], customerId }) {
      if (!port.deliveryOptions) return operationNotOffered('deliveryOptions')
      if (customerId === undefined) return missingCustomer
      if (sku === undefined) return missingSku
      const query = { lines: [{ sku, quantity: '1' }], goods_total: '1', tax_included: false, shipping_address: null }
      return (call) => port.deliveryOptions!({ customerId, ...query }, call)
    },
  })

const orderProbes = (port: AccountingPort): OperationProbe[] => [
  defineProbe({
    operation: 'orders',
    prepare({ customerId }) {
      if (!port.orders) return operationNotOffered('orders')
      return customerId === undefined ? missingCustomer : (call) => port.orders!(customerId, FIRST_PAGE, call)
    },
    learn({ orders: [first] }, inputs) {
      if (first) inputs.orderId = first.order_id
    },
  }),
  defineProbe({
    operation: 'order',
    prepare({ customerId, orderId }) {
      if (!port.order) return operationNotOffered('order')
      if (customerId === undefined) return missingCustomer
      return orderId === undefined ? missingOrder : (call) => port.order!(customerId, { order_id: orderId }, call)
    },
    evaluate: (order) => (order ? null : notFoundById('order')),
  }),
  defineProbe({
    operation: 'payment',
    prepare({ customerId, orderId }) {
      if (!port.payment) return operationNotOffered('payment')
      if (customerId === undefined) return missingCustomer
      return orderId === undefined ? missingOrder : (call) => port.payment!(customerId, { order_id: orderId }, call)
    },
  }),
]

const notFoundById = (kind: string) => ({
  finding: `the customer's list contains an ${kind} that the system does not find by its id`,
  remedy: `Check how the system reads a single ${kind}`,
  failed: true,
})

const invoiceProbes = (port: AccountingPort): OperationProbe[] => [
  defineProbe({
    operation: 'invoices',
    prepare({ customerId, now }) {
      if (!port.invoices) return operationNotOffered('invoices')
      const today = now.toISOString().slice(0, 10)
      return customerId === undefined
        ? missingCustomer
        : (call) => port.invoices!(customerId, { ...FIRST_PAGE, today }, call)
    },
    learn({ invoices: [first] }, inputs) {
      if (first) inputs.invoiceId = first.invoice_id
    },
  }),
  defineProbe({
    operation: 'invoice',
    prepare({ customerId, invoiceId }) {
      if (!port.invoice) return operationNotOffered('invoice')
      if (customerId === undefined) return missingCustomer
      return invoiceId === undefined ? missingInvoice : (call) => port.invoice!(customerId, invoiceId, call)
    },
    evaluate: (invoice) => (invoice ? null : notFoundById('invoice')),
  }),
  defineProbe({
    operation: 'invoiceDocument',
    prepare({ customerId, invoiceId }) {
      if (!port.invoiceDocument) return operationNotOffered('invoiceDocument')
      if (customerId === undefined) return missingCustomer
      return invoiceId === undefined ? missingInvoice : (call) => port.invoiceDocument!(customerId, invoiceId, call)
    },
    evaluate: (document) => (document ? null : noDocument),
  }),
]
