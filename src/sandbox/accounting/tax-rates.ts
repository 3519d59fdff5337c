import type { OperationHandlers } from '../protocol/operation-handlers.ts'
import type { DocumentStore } from '../storage/document-store.ts'
import type { CustomerStore } from './customer-store.ts'
import type { LedgerTax } from './order-totals.ts'

export interface TaxRates {
  /** The tax on a SKU, for a taxable or an exempt customer; `undefined`: the ledger does not know the SKU. */
  forSku(sku: string, exempt: boolean): LedgerTax | undefined
  handlers: Pick<OperationHandlers<'accounting'>, 'quoteTaxes'>
}

export function openTaxRates(store: DocumentStore, customers: CustomerStore): TaxRates {
  const products = store.all<{ tax: string }>('goods')
  const taxes = store.all<LedgerTax>('taxes')
  const forSku = (sku: string, exempt: boolean) => {
    const entry = products.get(sku)
    return entry && taxes.get(exempt ? 'EXEMPT' : entry.tax)
  }
  return {
    forSku,
    handlers: {
      quoteTaxes({ body: { skus, customer_id } }) {
        const exempt = customer_id !== null && customers.require(customer_id).tax_exempt
        const data = [...new Set(skus)].flatMap((sku) => {
          const tax = forSku(sku, exempt)
          return tax ? [{ sku, ...tax }] : []
        })
        return { data }
      },
    },
  }
}
