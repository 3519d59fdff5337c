import type { AccountingPort } from '../../src/ports/accounting.ts'
import { formatDecimal } from '../decimal-format.ts'
import { LATE_COMMIT_SECONDS } from './client/late-commit.ts'
import type { OdooContext } from './context.ts'
import { connectCreateCustomer } from './customers/create-customer.ts'
import { createCreditReader } from './customers/credit-reader.ts'
import { createCustomerReader } from './customers/customer-reader.ts'
import { createDeliveryQuotes } from './delivery-options/delivery-quotes.ts'
import { createInvoiceChangeFeed } from './invoices/invoice-changes.ts'
import { createInvoiceDocumentReader } from './invoices/invoice-document-reader.ts'
import { createInvoiceReader } from './invoices/invoice-reader.ts'
import { connectCancelOrder } from './orders/cancel-order.ts'
import { createOrderChangeFeed } from './orders/order-changes.ts'
import { createOrderReader } from './orders/order-reader.ts'
import { connectPlaceOrder } from './orders/place-order.ts'

const MAX_SKUS = 200

export function connectAccounting(context: OdooContext): AccountingPort {
  const customers = createCustomerReader(context)
  const orders = createOrderReader(context)
  const quoteDeliveries = createDeliveryQuotes(context)
  return {
    maxSkus: MAX_SKUS,
    watermarkOverlapSeconds: LATE_COMMIT_SECONDS,
    async taxes(skus, customerId, call) {
      const { products } = await context.readPricing(skus, customerId, call)
      // Where another system prices carts, only a rate gives the tax of a line.
      return products.flatMap(({ sku, tax }) =>
        tax && (tax.isRate || context.isPricing)
          ? [{ sku, code: tax.code, name: tax.name, rate: formatDecimal(tax.rate) }]
          : [],
      )
    },
    ...customers,
    ...connectCreateCustomer(context, customers),
    ...createCreditReader(context),
    order: orders.order,
    orders: orders.orders,
    payment: orders.payment,
    async deliveryOptions(query, call) {
      const skus = [...new Set(query.lines.map(({ sku }) => sku))]
      const quoted = await quoteDeliveries(query, await context.readPricing(skus, query.customerId, call), call)
      return quoted.map(({ option }) => option)
    },
    ...connectPlaceOrder(context, orders, quoteDeliveries),
    ...connectCancelOrder(context, orders),
    orderChanges: createOrderChangeFeed(context, orders),
    ...createInvoiceReader(context),
    invoiceChanges: createInvoiceChangeFeed(context),
    invoiceDocument: createInvoiceDocumentReader(context),
  }
}
