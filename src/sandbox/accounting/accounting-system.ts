import type { DocumentStore } from '../storage/document-store.ts'
import type { SystemAccount } from '../system-account.ts'
import { createAccountingControl } from './accounting-control.ts'
import { openCustomerCredit } from './customer-credit.ts'
import { openCustomerStore } from './customer-store.ts'
import { openDeliveryOptionStore } from './delivery-option-store.ts'
import { openInvoiceStore } from './invoice-store.ts'
import { createOrderHandlers } from './order-handlers.ts'
import { SLOW_LEDGER_DELAY_MS } from './order-placement.ts'
import { openOrderStore } from './order-store.ts'
import { openTaxRates } from './tax-rates.ts'

/** The accounting system of one account: taxes, customers, credit, orders and invoices. */
export function openAccountingSystem(store: DocumentStore, now: () => Date): SystemAccount<'accounting'> {
  const { currency } = store.all<{ currency: string }>('merchant').get('merchant')!
  const customers = openCustomerStore(store, now, currency)
  const taxes = openTaxRates(store, customers)
  const orders = openOrderStore(store, now)
  const invoices = openInvoiceStore(store, customers, orders, now)
  const deliveries = openDeliveryOptionStore(store, customers)
  const credit = openCustomerCredit({ customers, orders, invoicesOf: invoices.listForCustomer, now })
  let delayMs = 0
  const delayResponse = () => {
    delayMs = SLOW_LEDGER_DELAY_MS
  }
  return {
    handlers: {
      readHealth: () => ({ status: 'ok' }),
      ...taxes.handlers,
      ...customers.handlers,
      ...credit.handlers,
      ...deliveries.handlers,
      ...createOrderHandlers({ customers, taxes, deliveries, credit, orders, now, delayResponse }),
      ...invoices.handlers,
    },
    ...createAccountingControl({ customers, orders, invoices, deliveries, credit, now }),
    takeResponseDelayMs() {
      const ms = delayMs
      delayMs = 0
      return ms
    },
  }
}
