import type { ChangeTimestamp } from '../ports/change-feed.ts'
import { lockResources, type NewResourceState, storeResourceStates } from '../storage/changes/resource-states.ts'
import { isNewSinceBaseline, isOlderThanKnown } from './change-freshness.ts'
import type { ChangeSource, FeedContext } from './change-source.ts'
import { appendProductUpdatedEvent, type ProductState } from './product-and-stock-events.ts'

interface PriceState {
  /** The last change of any of its prices, by the system's clock. */
  at: string
}

/** SKUs with a changed price. Events do not say which price or whose, so that they reveal no customer's price. */
export const createPriceSource = ({
  backOffice,
  tenant,
}: FeedContext): ChangeSource<ChangeTimestamp & { sku: string }> => ({
  name: 'prices',
  system: 'pricing',
  idOf: ({ sku }) => sku,
  read: (query, requestScope) => backOffice.changes.prices(query, requestScope),
  async apply(transaction, changes, reading) {
    const skus = changes.map(({ sku }) => sku)
    const known = await lockResources<PriceState>(transaction, tenant, 'price', skus, reading.calledAt)
    const products = await lockResources<ProductState>(transaction, tenant, 'product', skus, reading.calledAt)
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
    await storeResourceStates(transaction, tenant, 'price', states, reading.calledAt)
    return { details: [], others: reading.isBaseline ? [] : states.map(({ id }) => id) }
  },
})
