import type { AccountingPort } from '../../src/ports/accounting.ts'
import type { HttpClient, MerchantFacts } from '../../src/ports/adapter.ts'
import { createAmountFormatter } from '../amount-format.ts'
import { type AccountingContext, LATE_COMMIT_SECONDS } from './accounting-context.ts'
import { createWarehouseReader } from './catalog/warehouses.ts'
import { createCapabilities } from './client/capabilities.ts'
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
  const now = () => facts.now().getTime()
  const rpc = createRpc(settings, client, now)
  const abilities = createCapabilities(rpc, now)
  const taxes = createSkuTaxReader(rpc, facts)
  const promotions = createPromotionQuotes({ rpc, abilities, settings, facts, taxes })
  const { quote } = connectQuote(createPriceReader(rpc, abilities, facts), promotions, facts)
  const places = createWarehouseReader(settings, rpc, now)
  const ledger: AccountingContext = {
    rpc,
    settings,
    facts,
    abilities,
    amount: createAmountFormatter(facts.currency),
    taxes,
    quote,
    places,
  }

  const reads = createCustomerReader(ledger)
  const { available, credit: readCredit } = createCreditReader(ledger)
  const account = { available, credit: readCredit }
  const { saleOf, viewed, ...orderReads } = createOrderReader(ledger)
  const all = { saleOf, viewed, ...orderReads }
  const check = createOrderCheck(ledger, reads, account)
  return {
    maxSkus: MAX_SKUS,
    watermarkOverlapSeconds: LATE_COMMIT_SECONDS,
    taxes: async (skus, customerId, call) =>
      (await taxes.of(skus, customerId, call)).map(({ sku, code, name, rate }) => ({ sku, code, name, rate })),
    ...reads,
    ...connectCreateCustomer(ledger, reads),
    credit: readCredit,
    ...orderReads,
    ...connectPlaceOrder(ledger, { check, orders: all, credit: account, random: Math.random }),
    ...connectCancelOrder(ledger, all),
    ...createInvoiceReader(ledger),
    orderChanges: createOrderChangeFeed(ledger, all),
    invoiceChanges: createInvoiceChangeFeed(ledger),
  }
}
