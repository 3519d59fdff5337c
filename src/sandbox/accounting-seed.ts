import { customers } from '../../fixtures/customers.ts'
import { merchant } from '../../fixtures/merchant.ts'
import { products } from '../../fixtures/products.ts'
import { taxOf } from '../../fixtures/taxes.ts'
import type { Seed } from './store.ts'

/** The ledger's documents: the tax code of each SKU, the codes, and the customers with their credit. */
export function accountingSeed(): Seed {
  return {
    goods: products().map((product) => [product.sku, { tax: taxOf(product) }] as const),
    taxes: Object.entries(merchant.taxes),
    customers: customers.map(
      (customer) => [customer.customer_id, { ...customer, currency: merchant.currency }] as const,
    ),
  }
}
