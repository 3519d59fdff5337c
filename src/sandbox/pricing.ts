import type { Books } from './handlers.ts'
import { Refusal } from './refusal.ts'
import type { Store } from './store.ts'

interface StoredPrice {
  amount: string
  breaks: { min_quantity: string; amount: string }[]
}

interface StoredList {
  name: string
  fallback: string | null
  entries: [sku: string, price: StoredPrice][]
}

/** The pricing system of one account: list prices, and the price lists of customers. */
export function openPricing(store: Store, now: () => Date): Books<'pricing'> {
  const prices = store.all<StoredPrice & { uom: string }>('prices')
  const customers = store.all<{ price_list_id: string | null }>('customers')
  const lists = new Map(
    [...store.all<StoredList>('lists')].map(([id, list]) => [id, { ...list, entries: new Map(list.entries) }]),
  )

  const contractPrice = (sku: string, listId: string | null): StoredPrice | undefined => {
    for (let list = lists.get(listId ?? ''); list; list = lists.get(list.fallback ?? '')) {
      const price = list.entries.get(sku)
      if (price) return price
    }
    return undefined
  }

  return {
    handlers: {
      readHealth: () => ({ status: 'ok' }),
      quotePrices({ body: { skus, customer_id } }) {
        const customer = customer_id === null ? null : customers.get(customer_id)
        if (customer === undefined) throw new Refusal(404, 'not_found', 'there is no such customer')
        const as_of = now().toISOString()
        const data = [...new Set(skus)].flatMap((sku) => {
          const list = prices.get(sku)
          if (!list) return []
          const contract = customer ? contractPrice(sku, customer.price_list_id) : undefined
          const { amount, breaks } = contract ?? list
          const price_type = contract ? ('CONTRACT' as const) : ('LIST' as const)
          return [
            { sku, amount, price_type, list_amount: list.amount, tax_included: false, uom: list.uom, breaks, as_of },
          ]
        })
        return { data }
      },
    },
    changes: {
      prices(sku, body) {
        const before = prices.get(sku)
        if (!before) throw new Refusal(404, 'not_found', 'there is no such SKU')
        // Breaks were set against the old amount; keeping them could make a larger quantity dearer.
        const price = { ...before, amount: (body as { amount: string }).amount, breaks: [] }
        store.put('prices', sku, price)
        prices.set(sku, price)
        return price
      },
    },
  }
}
