import type { Changed } from '../ports/change-feed.ts'
import { holdResources, keepStates, type NewState } from '../storage/changes/resource-states.ts'
import { type ProductState, tellUpdated } from './product-and-stock-events.ts'
import { type FeedPlace, isNew, isOlder, type Source } from './change-source.ts'

interface PriceState {
  /** When one of its prices last changed, by the system's clock. */
  at: string
}

/** SKUs of which some price changed: which and whose is not told, so that nobody learns another's price. */
export const priceSource = ({ office, owner }: FeedPlace): Source<Changed & { sku: string }> => ({
  ...{ name: 'prices', system: 'pricing', idOf: ({ sku }) => sku },
  read: (query, asking) => office.changes.prices(query, asking),
  async take(transaction, changes, reading) {
    const skus = changes.map(({ sku }) => sku)
    const known = await holdResources<PriceState>(transaction, owner, 'price', skus, reading.askedAt)
    const products = await holdResources<ProductState>(transaction, owner, 'product', skus, reading.askedAt)
    const states: NewState[] = []
    for (const { sku, updated_at } of changes) {
      const before = known.get(sku)!.state
      if (before && (updated_at === before.at || isOlder(updated_at, before, reading))) continue
      states.push({ id: sku, state: { at: updated_at } satisfies PriceState })
      const product = products.get(sku)!.state
      if (!product?.active || (!before && !isNew(updated_at, reading))) continue
      const at = Date.parse(updated_at) > Date.parse(product.at) ? updated_at : product.at
      await tellUpdated(transaction, reading, sku, { ...product, at }, 'price')
    }
    await keepStates(transaction, owner, 'price', states, reading.askedAt)
    return { details: [], others: reading.baseline ? [] : states.map(({ id }) => id) }
  },
})
