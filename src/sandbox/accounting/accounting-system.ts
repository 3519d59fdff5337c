import type { AccountSystem } from '../protocol/operation-handlers.ts'
import type { DocumentStore } from '../storage/document-store.ts'
import { openCustomerCredit } from './customer-credit.ts'
import { openCustomerStore } from './customer-store.ts'
import { openInvoiceStore } from './invoice-store.ts'
import { createLedgerControl } from './ledger-control.ts'
import { createOrderHandlers } from './order-handlers.ts'
import { openOrderStore } from './order-store.ts'
import { openTaxRates } from './tax-rates.ts'

/** How late a ledger is that takes its time: longer than any checkout waits. */
const LATE_MS = 5_000

/** The ledger of one account: taxes, customers, what they owe, orders and invoices. */
export function openAccountingSystem(store: DocumentStore, now: () => Date): AccountSystem<'accounting'> {
  const { currency } = store.all<{ currency: string }>('merchant').get('merchant')!
  const customers = openCustomerStore(store, now, currency)
  const taxes = openTaxRates(store, customers)
  const book = openOrderStore(store, now)
  const invoices = openInvoiceStore(store, customers, book, now)
  const credit = openCustomerCredit({ customers, book, invoicesOf: invoices.forCustomer, now })
  let lateMs = 0
  const late = () => {
    lateMs = LATE_MS
  }
  return {
    handlers: {
      readHealth: () => ({ status: 'ok' }),
      ...taxes.handlers,
      ...customers.handlers,
      ...credit.handlers,
      ...createOrderHandlers({ customers, taxes, credit, book, now, late }),
      ...invoices.handlers,
    },
    ...createLedgerControl({ customers, book, invoices, credit, now }),
    takeLateMs() {
      const ms = lateMs
      lateMs = 0
      return ms
    },
  }
}
