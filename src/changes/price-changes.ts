import type { ChangeTimestamp } from '../ports/change-feed.ts'
import { lockResources, type NewResourceState, storeResourceStates } from '../storage/changes/resource-states.ts'
import { type ChangeSource, type FeedContext, isNewSinceBaseline, isOlderThanKnown } from './change-source.ts'
import { appendProductUpdatedEvent, type ProductState } from './product-and-stock-events.ts'

interface PriceState {
  /** When one of its prices last changed, by the system's clock. */
  at: string
}

/** SKUs of which some price changed: which and whose is not told, so that nobody learns another's price. */
export const createPriceSource = ({
  backOffice,
  owner,
}: FeedContext): ChangeSource<ChangeTimestamp & { sku: string }> => ({
  ...{ name: 'prices', system: 'pricing', idOf: ({ sku }) => sku },
  read: (query, requestScope) => backOffice.changes.prices(query, requestScope),
  async take(transaction, changes, reading) {
    const skus = changes.map(({ sku }) => sku)
    const known = await lockResources<PriceState>(transaction, owner, 'price', skus, reading.askedAt)
    const products = await lockResources<ProductState>(transaction, owner, 'product', skus, reading.askedAt)
    const states: NewResourceState[] = []
    for (const { sku, updated_at } of changes) {
      const before = known.get(sku)!.state
      if (before && (updated_at === before.at || isOlderThanKnown(updated_at, before, reading))) continue
      states.push({ id: sku, state: { at: updated_at } satisfies PriceState })
      const product = products.get(sku)!.state
      if (!product?.active || (!before && !isNewSinceBaseline(updated_at, reading))) continue
      const at = Date.parse(updated_at) > Date.parse(product.at) ? updated_at : product.at
      await appendProductUpdatedEvent(transaction, reading, sku, { ...product, at }, 'price')
    }
    await storeResourceStates(transaction, owner, 'price', states, reading.askedAt)
    return { details: [], others: reading.baseline ? [] : states.map(({ id }) => id) }
  },
})
