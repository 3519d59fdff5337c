import { openCredit } from './customer-credit.ts'
import { openCustomers } from './customer-store.ts'
import type { Books } from '../protocol/operation-handlers.ts'
import { openInvoices } from './invoice-store.ts'
import { ledgerChanges } from './ledger-control.ts'
import { openOrderBook } from './order-store.ts'
import { orderHandlers } from './order-handlers.ts'
import type { Store } from '../storage/document-store.ts'
import { openTaxes } from './tax-rates.ts'

/** How late a ledger is that takes its time: longer than any checkout waits. */
const LATE_MS = 5_000

/** The ledger of one account: taxes, customers, what they owe, orders and invoices. */
export function openAccounting(store: Store, now: () => Date): Books<'accounting'> {
  const { currency } = store.all<{ currency: string }>('merchant').get('merchant')!
  const customers = openCustomers(store, now, currency)
  const taxes = openTaxes(store, customers)
  const book = openOrderBook(store, now)
  const invoices = openInvoices(store, customers, book, now)
  const credit = openCredit({ customers, book, invoicesOf: invoices.of, now })
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
      ...orderHandlers({ customers, taxes, credit, book, now, late }),
      ...invoices.handlers,
    },
    ...ledgerChanges({ customers, book, invoices, credit, now }),
    takeLateMs() {
      const ms = lateMs
      lateMs = 0
      return ms
    },
  }
}
