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
  /** Throws HttpError(404) when the customer does not exist. */
  requireCustomer(customerId: string): PricingCustomer
  findListPrice(sku: string): ListPrice | undefined
  /** The price on the customer's price list or on one of its fallbacks. */
  findContractPrice(sku: string, customer: PricingCustomer): StoredPrice | undefined
  /** Sets a list price. Throws HttpError(404) for a SKU without a price when `uom` is absent. */
  setListPrice(sku: string, amount: string, uom?: string): ListPrice
  listPrices(): ReadonlyMap<string, ListPrice>
}

/** The ids of customers created through the API. The pricing system has no record of them: they pay list prices. */
const CREATED_CUSTOMER_ID = /^W-\d+$/

/** The prices of one account: read from memory, written through to the store. */
export function openPriceStore(store: DocumentStore, now: () => Date): PriceStore {
  const prices = store.all<ListPrice>('prices')
  const nextChangeTime = createMonotonicClock(now, prices.values())
  const customers = store.all<PricingCustomer>('customers')
  const lists = new Map(
    [...store.all<StoredList>('lists')].map(([id, list]) => [id, { ...list, entries: new Map(list.entries) }]),
  )
  return {
    requireCustomer(customerId) {
      const customer = customers.get(customerId)
      if (customer) return customer
      if (CREATED_CUSTOMER_ID.test(customerId)) return { price_list_id: null }
      throw new HttpError(404, 'not_found', 'the customer does not exist')
    },
    findListPrice: (sku) => prices.get(sku),
    listPrices: () => prices,
    findContractPrice(sku, { price_list_id }) {
      for (let list = lists.get(price_list_id ?? ''); list; list = lists.get(list.fallback ?? '')) {
        const price = list.entries.get(sku)
        if (price) return price
      }
      return undefined
    },
    setListPrice(sku, amount, givenUom) {
      const uom = prices.get(sku)?.uom ?? givenUom
      if (uom === undefined) throw new HttpError(404, 'not_found', 'this SKU has no price yet: uom is required')
      // The old quantity breaks could now exceed the new amount.
      const price = { uom, amount, breaks: [], updated_at: nextChangeTime() }
      store.put('prices', sku, price)
      prices.set(sku, price)
      return price
    },
  }
}
