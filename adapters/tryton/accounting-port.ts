import type { AccountingPort } from '../../src/ports/accounting.ts'
import { LATE_COMMIT_SECONDS } from './client/late-commit.ts'
import type { TrytonContext } from './context.ts'
import { connectCreateCustomer } from './customers/create-customer.ts'
import { createCreditReader } from './customers/credit-reader.ts'
import { createCustomerReader } from './customers/customer-reader.ts'
import { createDeliveryQuotes } from './delivery-options/delivery-quotes.ts'
import { createInvoiceChangeFeed } from './invoices/invoice-changes.ts'
import { createInvoiceDocumentReader } from './invoices/invoice-document-reader.ts'
import { createInvoiceReader } from './invoices/invoice-reader.ts'
import { connectCancelOrder } from './orders/cancel-order.ts'
import { createOrderChangeFeed } from './orders/order-changes.ts'
import { createOrderCheck } from './orders/order-check.ts'
import { createOrderReader } from './orders/order-reader.ts'
import { connectPlaceOrder } from './orders/place-order.ts'

const MAX_SKUS = 50

export function connectAccounting(context: TrytonContext): AccountingPort {
  const { taxes } = context
  const customers = createCustomerReader(context)
  const credit = createCreditReader(context)
  const orders = createOrderReader(context)
  const quoteDeliveries = createDeliveryQuotes(context)
  const check = createOrderCheck(context, { customers, credit, quoteDeliveries })
  return {
    maxSkus: MAX_SKUS,
    watermarkOverlapSeconds: LATE_COMMIT_SECONDS,
    taxes: async (skus, customerId, call) =>
      (await taxes.readTaxes(skus, customerId, call)).map(({ sku, code, name, rate }) => ({ sku, code, name, rate })),
    ...customers,
    ...connectCreateCustomer(context, customers),
    credit: credit.credit,
    deliveryOptions: async (query, call) => (await quoteDeliveries(query, call)).map(({ option }) => option),
    order: orders.order,
    orders: orders.orders,
    payment: orders.payment,
    ...connectPlaceOrder(context, { check, orders, credit, random: Math.random }),
    ...connectCancelOrder(context, orders),
    ...createInvoiceReader(context),
    invoiceDocument: createInvoiceDocumentReader(context),
    orderChanges: createOrderChangeFeed(context, orders),
    invoiceChanges: createInvoiceChangeFeed(context),
  }
}
