import { HttpError } from '../http/http-error.ts'
import { changePage } from '../storage/change-page.ts'
import type { DocumentStore } from '../storage/document-store.ts'
import type { SystemAccount } from '../system-account.ts'
import type { StoredPromotion } from './apply-promotions.ts'
import { openPriceStore } from './price-store.ts'
import { quoteCart } from './quote-cart.ts'

/** The pricing system of one account: list prices, contract prices and promotions. */
export function openPricingSystem(store: DocumentStore, now: () => Date): SystemAccount<'pricing'> {
  const prices = openPriceStore(store, now)
  const promotions = store.all<StoredPromotion>('promotions')
  const requireListPrice = (sku: string) => {
    const price = prices.findListPrice(sku)
    if (!price) throw new HttpError(404, 'not_found', 'the SKU does not exist')
    return price
  }
  return {
    handlers: {
      readHealth: () => ({ status: 'ok' }),
      quotePrices({ body: { skus, customer_id } }) {
        const customer = customer_id === null ? null : prices.requireCustomer(customer_id)
        const as_of = now().toISOString()
        const data = [...new Set(skus)].flatMap((sku) => {
          const list = prices.findListPrice(sku)
          if (!list) return []
          const contract = customer ? prices.findContractPrice(sku, customer) : undefined
          const { amount, breaks } = contract ?? list
          const price_type = contract ? ('CONTRACT' as const) : ('LIST' as const)
          return [
            { sku, amount, price_type, list_amount: list.amount, tax_included: false, uom: list.uom, breaks, as_of },
          ]
        })
        return { data }
      },
      listPriceChanges({ query }) {
        const rows = [...prices.listPrices()].map(([sku, { updated_at }]) => ({ sku, updated_at }))
        return changePage(rows, ({ sku }) => sku, query)
      },
      quoteCart: ({ body }) => quoteCart(body, prices, promotions, now()),
    },
    controlChanges: {
      prices(sku, body) {
        const { amount, uom } = body as { amount: string; uom?: string }
        return prices.setListPrice(sku, amount, uom)
      },
    },
    controlReads: { prices: (sku) => requireListPrice(sku ?? '') },
  }
}
