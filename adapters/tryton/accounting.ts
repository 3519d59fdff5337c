import type { AccountingPort } from '../../src/ports/accounting.ts'
import type { Client, MerchantFacts } from '../../src/ports/adapter.ts'
import { amountsIn } from '../amount-format.ts'
import { createAbilities } from './client/capabilities.ts'
import { cancelOrder } from './orders/cancel-order.ts'
import { createCustomer } from './customers/create-customer.ts'
import { credit } from './customers/credit-reader.ts'
import { customers } from './customers/customer-reader.ts'
import { invoiceChanges } from './invoices/invoice-changes.ts'
import { invoices } from './invoices/invoice-reader.ts'
import { LATE_COMMIT_SECONDS, type Ledger } from './accounting-context.ts'
import { orderChanges } from './orders/order-changes.ts'
import { orderCheck } from './orders/order-check.ts'
import { orders } from './orders/order-reader.ts'
import { placeOrder } from './orders/place-order.ts'
import { priceReader } from './pricing/price-reader.ts'
import { promotionQuotes } from './pricing/promotion-quotes.ts'
import { quoting } from './pricing/quote.ts'
import { createRpc } from './client/rpc.ts'
import type { TrytonSettings } from './settings.ts'
import { skuTaxes } from './pricing/sku-taxes.ts'
import { warehouses } from './catalog/warehouses.ts'

const MAX_SKUS = 50

export function accounting(settings: TrytonSettings, client: Client, facts: MerchantFacts): AccountingPort {
  const now = () => facts.now().getTime()
  const rpc = createRpc(settings, client, now)
  const abilities = createAbilities(rpc, now)
  const taxes = skuTaxes(rpc, facts)
  const promotions = promotionQuotes({ rpc, abilities, settings, facts, taxes })
  const { quote } = quoting(priceReader(rpc, abilities, facts), promotions, facts)
  const places = warehouses(settings, rpc, now)
  const ledger: Ledger = { rpc, settings, facts, abilities, amount: amountsIn(facts.currency), taxes, quote, places }

  const reads = customers(ledger)
  const { available, credit: readCredit } = credit(ledger)
  const account = { available, credit: readCredit }
  const { saleOf, viewed, ...orderReads } = orders(ledger)
  const all = { saleOf, viewed, ...orderReads }
  const check = orderCheck(ledger, reads, account)
  return {
    maxSkus: MAX_SKUS,
    watermarkOverlapSeconds: LATE_COMMIT_SECONDS,
    taxes: async (skus, customerId, call) =>
      (await taxes.of(skus, customerId, call)).map(({ sku, code, name, rate }) => ({ sku, code, name, rate })),
    ...reads,
    ...createCustomer(ledger, reads),
    credit: readCredit,
    ...orderReads,
    ...placeOrder(ledger, { check, orders: all, credit: account, random: Math.random }),
    ...cancelOrder(ledger, all),
    ...invoices(ledger),
    orderChanges: orderChanges(ledger, all),
    invoiceChanges: invoiceChanges(ledger),
  }
}
