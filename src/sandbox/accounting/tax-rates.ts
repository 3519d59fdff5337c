import type { Customers } from './customer-store.ts'
import type { Handlers } from '../protocol/operation-handlers.ts'
import type { Store } from '../storage/document-store.ts'
import type { LedgerTax } from './order-totals.ts'

export interface Taxes {
  /** The tax on a SKU for anybody, or for one who is exempt; `undefined`: the ledger does not know that SKU. */
  of(sku: string, exempt: boolean): LedgerTax | undefined
  handlers: Pick<Handlers<'accounting'>, 'quoteTaxes'>
}

export function openTaxes(store: Store, customers: Customers): Taxes {
  const goods = store.all<{ tax: string }>('goods')
  const taxes = store.all<LedgerTax>('taxes')
  const of = (sku: string, exempt: boolean) => {
    const good = goods.get(sku)
    return good && taxes.get(exempt ? 'EXEMPT' : good.tax)
  }
  return {
    of,
    handlers: {
      quoteTaxes({ body: { skus, customer_id } }) {
        const exempt = customer_id !== null && customers.known(customer_id).tax_exempt
        const data = [...new Set(skus)].flatMap((sku) => {
          const tax = of(sku, exempt)
          return tax ? [{ sku, ...tax }] : []
        })
        return { data }
      },
    },
  }
}
