import { customers } from '../../../fixtures/customers.ts'
import { merchant } from '../../../fixtures/merchant.ts'
import { products } from '../../../fixtures/products.ts'
import { taxOf } from '../../../fixtures/taxes.ts'
import { ordersSeed } from './orders-seed.ts'
import type { Seed } from '../storage/document-store.ts'

const DAY_MS = 86_400_000

/** The ledger's documents: the tax code of each SKU, the codes, the customers with their credit, and what they ordered before. Dates count from `now`. */
export function accountingSeed(now: Date): Seed {
  return {
    merchant: [['merchant', { currency: merchant.currency }] as const],
    goods: products().map((product) => [product.sku, { tax: taxOf(product) }] as const),
    taxes: Object.entries(merchant.taxes),
    customers: customers.map(({ openedDaysAgo, ...customer }) => {
      const created = new Date(now.getTime() - openedDaysAgo * DAY_MS).toISOString()
      return [customer.customer_id, { ...customer, currency: merchant.currency, created_at: created }] as const
    }),
    ...ordersSeed(now),
  }
}
