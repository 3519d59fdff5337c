import type { AccountingPort } from '../../src/ports/accounting.ts'
import type { MerchantFacts } from '../../src/ports/adapter.ts'
import type { HttpClient } from '../../src/ports/http-client.ts'
import { createAmountFormatter } from '../amount-format.ts'
import type { AccountingContext } from './accounting-context.ts'
import { createWarehouseReader } from './catalog/warehouses.ts'
import { createCapabilities } from './client/capabilities.ts'
import { LATE_COMMIT_SECONDS } from './client/change-feed.ts'
import { createRpc } from './client/rpc.ts'
import { connectCreateCustomer } from './customers/create-customer.ts'
import { createCreditReader } from './customers/credit-reader.ts'
import { createCustomerReader } from './customers/customer-reader.ts'
import { createInvoiceChangeFeed } from './invoices/invoice-changes.ts'
import { createInvoiceReader } from './invoices/invoice-reader.ts'
import { connectCancelOrder } from './orders/cancel-order.ts'
import { createOrderChangeFeed } from './orders/order-changes.ts'
import { createOrderCheck } from './orders/order-check.ts'
import { createOrderReader } from './orders/order-reader.ts'
import { connectPlaceOrder } from './orders/place-order.ts'
import { createPriceReader } from './pricing/price-reader.ts'
import { createPromotionQuotes } from './pricing/promotion-quotes.ts'
import { connectQuote } from './pricing/quote.ts'
import { createSkuTaxReader } from './pricing/sku-taxes.ts'
import type { TrytonSettings } from './settings.ts'

const MAX_SKUS = 50

export function connectAccounting(settings: TrytonSettings, client: HttpClient, facts: MerchantFacts): AccountingPort {
  const nowMs = () => facts.now().getTime()
  const rpc = createRpc(settings, client, nowMs)
  const capabilities = createCapabilities(rpc, nowMs)
  const taxes = createSkuTaxReader(rpc, facts)
  const promotions = createPromotionQuotes({ rpc, capabilities, settings, facts, taxes })
  const { quote } = connectQuote(createPriceReader(rpc, capabilities, facts), promotions, facts)
  const context: AccountingContext = {
    rpc,
    settings,
    facts,
    capabilities,
    formatAmount: createAmountFormatter(facts.currency),
    taxes,
    quote,
    readWarehouses: createWarehouseReader(settings, rpc, nowMs),
  }

  const customers = createCustomerReader(context)
  const credit = createCreditReader(context)
  const orders = createOrderReader(context)
  const check = createOrderCheck(context, customers, credit)
  return {
    maxSkus: MAX_SKUS,
    watermarkOverlapSeconds: LATE_COMMIT_SECONDS,
    taxes: async (skus, customerId, call) =>
      (await taxes.readTaxes(skus, customerId, call)).map(({ sku, code, name, rate }) => ({ sku, code, name, rate })),
    ...customers,
    ...connectCreateCustomer(context, customers),
    credit: credit.credit,
    order: orders.order,
    orders: orders.orders,
    payment: orders.payment,
    ...connectPlaceOrder(context, { check, orders, credit, random: Math.random }),
    ...connectCancelOrder(context, orders),
    ...createInvoiceReader(context),
    orderChanges: createOrderChangeFeed(context, orders),
    invoiceChanges: createInvoiceChangeFeed(context),
  }
}
