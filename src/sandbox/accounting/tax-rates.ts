import type { OperationHandlers } from '../protocol/operation-handlers.ts'
import type { DocumentStore } from '../storage/document-store.ts'
import type { CustomerStore } from './customer-store.ts'
import type { LedgerTax } from './order-totals.ts'

export interface TaxRates {
  /** The tax on a SKU for anybody, or for one who is exempt; `undefined`: the ledger does not know that SKU. */
  forSku(sku: string, exempt: boolean): LedgerTax | undefined
  handlers: Pick<OperationHandlers<'accounting'>, 'quoteTaxes'>
}

export function openTaxRates(store: DocumentStore, customers: CustomerStore): TaxRates {
  const goods = store.all<{ tax: string }>('goods')
  const taxes = store.all<LedgerTax>('taxes')
  const of = (sku: string, exempt: boolean) => {
    const good = goods.get(sku)
    return good && taxes.get(exempt ? 'EXEMPT' : good.tax)
  }
  return {
    forSku: of,
    handlers: {
      quoteTaxes({ body: { skus, customer_id } }) {
        const exempt = customer_id !== null && customers.require(customer_id).tax_exempt
        const data = [...new Set(skus)].flatMap((sku) => {
          const tax = of(sku, exempt)
          return tax ? [{ sku, ...tax }] : []
        })
        return { data }
      },
    },
  }
}
