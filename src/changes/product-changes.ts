import type { Product } from '../ports/inventory.ts'
import { lockResources, type NewResourceState, storeResourceStates } from '../storage/changes/resource-states.ts'
import type { Database } from '../storage/database.ts'
import {
  type ChangeReadContext,
  type ChangeSource,
  type FeedContext,
  isNewSinceBaseline,
  isOlderThanKnown,
  isSupersededRead,
  type StaleSkus,
} from './change-source.ts'
import {
  appendProductDeactivatedEvent,
  appendProductUpdatedEvent,
  chooseProductEvent,
  type ProductState,
  toProductState,
} from './product-and-stock-events.ts'

/** Products whose content changed, that were withdrawn, that came, or came back. */
export const createProductSource = ({ backOffice }: FeedContext): ChangeSource<Product> => ({
  ...{ name: 'products', system: 'inventory', idOf: ({ sku }) => sku },
  read: (query, requestScope) => backOffice.changes.products(query, requestScope),
  take: (transaction, products, reading) => applyProductChanges(transaction, products, reading),
})

/** `sweeping`: what is found now counts, whatever time of change it has. */
export async function applyProductChanges(
  transaction: Database,
  products: readonly Product[],
  reading: ChangeReadContext,
  sweeping = false,
): Promise<StaleSkus> {
  const { owner } = reading.place
  const skus = products.map(({ sku }) => sku)
  const known = await lockResources<ProductState>(transaction, owner, 'product', skus, reading.askedAt)
  const states: NewResourceState[] = []
  const details: string[] = []
  for (const product of products) {
    const before = known.get(product.sku)!
    const found = toProductState(product)
    if (before.state && isSupersededRead(before, reading)) continue
    if (!sweeping && before.state && isOlderThanKnown(found.at, before.state, reading)) continue
    if (JSON.stringify(before.state) === JSON.stringify(found)) continue
    states.push({ id: product.sku, state: found })
    const news = chooseProductEvent(before.state, found, isNewSinceBaseline(found.at, reading))
    if (news === 'product.updated') await appendProductUpdatedEvent(transaction, reading, product.sku, found, 'details')
    if (news === 'product.deactivated') await appendProductDeactivatedEvent(transaction, reading, product.sku, found.at)
    if (before.state || !reading.baseline) details.push(product.sku)
  }
  await storeResourceStates(transaction, owner, 'product', states, reading.askedAt)
  return { details, others: [] }
}
