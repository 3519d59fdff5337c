import { HttpError } from '../http/http-error.ts'
import type { DocumentStore } from '../storage/document-store.ts'
import { createMonotonicClock } from '../storage/monotonic-clock.ts'

export interface StoredPrice {
  amount: string
  breaks: { min_quantity: string; amount: string }[]
}

type ListPrice = StoredPrice & { uom: string; updated_at: string }

interface StoredList {
  name: string
  fallback: string | null
  entries: [sku: string, price: StoredPrice][]
}

export interface PricingCustomer {
  price_list_id: string | null
}

export interface PriceStore {
  /** A Refusal when there is no such customer. */
  customer(customerId: string): PricingCustomer
  list(sku: string): ListPrice | undefined
  /** The price on the customer's own list or on one that it falls back to. */
  contract(sku: string, customer: PricingCustomer): StoredPrice | undefined
  /** A SKU that has no price yet gets one, when its unit is given. */
  set(sku: string, amount: string, uom?: string): ListPrice
  lists(): ReadonlyMap<string, ListPrice>
}

/** Those who registered in a shop are numbered so by the ledger, which tells nobody: they pay list prices. */
const REGISTERED = /^W-\d+$/

/** The prices of one account: read from memory, written through to the store. */
export function openPriceStore(store: DocumentStore, now: () => Date): PriceStore {
  const prices = store.all<ListPrice>('prices')
  const changed = createMonotonicClock(now, prices.values())
  const customers = store.all<PricingCustomer>('customers')
  const lists = new Map(
    [...store.all<StoredList>('lists')].map(([id, list]) => [id, { ...list, entries: new Map(list.entries) }]),
  )
  return {
    customer(customerId) {
      const customer = customers.get(customerId)
      if (customer) return customer
      if (REGISTERED.test(customerId)) return { price_list_id: null }
      throw new HttpError(404, 'not_found', 'there is no such customer')
    },
    list: (sku) => prices.get(sku),
    lists: () => prices,
    contract(sku, { price_list_id }) {
      for (let list = lists.get(price_list_id ?? ''); list; list = lists.get(list.fallback ?? '')) {
        const price = list.entries.get(sku)
        if (price) return price
      }
      return undefined
    },
    set(sku, amount, given) {
      const uom = prices.get(sku)?.uom ?? given
      if (uom === undefined)
        throw new HttpError(404, 'not_found', 'this SKU has no price: give the uom that the amount is for')
      // Breaks were set against the old amount; keeping them could make a larger quantity dearer.
      const price = { uom, amount, breaks: [], updated_at: changed() }
      store.put('prices', sku, price)
      prices.set(sku, price)
      return price
    },
  }
}
