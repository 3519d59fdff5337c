import { customers } from '../../../fixtures/customers.ts'
import { merchant } from '../../../fixtures/merchant.ts'
import { generateProducts } from '../../../fixtures/products.ts'
import { taxCodeOf } from '../../../fixtures/taxes.ts'
import type { DocumentSeed } from '../storage/document-store.ts'
import { ordersSeed } from './orders-seed.ts'

const DAY_MS = 86_400_000

/** The ledger's documents: taxes, customers with their credit, past orders and invoices. Dates count from `now`. */
export function accountingSeed(now: Date): DocumentSeed {
  return {
    merchant: [['merchant', { currency: merchant.currency }] as const],
    goods: generateProducts().map((product) => [product.sku, { tax: taxCodeOf(product) }] as const),
    taxes: Object.entries(merchant.taxes),
    customers: customers.map(({ openedDaysAgo, ...customer }) => {
      const createdAt = new Date(now.getTime() - openedDaysAgo * DAY_MS).toISOString()
      return [customer.customer_id, { ...customer, currency: merchant.currency, created_at: createdAt }] as const
    }),
    ...ordersSeed(now),
  }
}
