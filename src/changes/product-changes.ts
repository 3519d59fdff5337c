import type { Product } from '../ports/inventory.ts'
import type { Database } from '../storage/database.ts'
import { holdResources, keepStates, type NewState } from '../storage/changes/resource-states.ts'
import { type ProductState, productNews, stateOf, tellDeactivated, tellUpdated } from './product-and-stock-events.ts'
import { type FeedPlace, isNew, isOlder, isOutrun, type Reading, type Source, type Taken } from './change-source.ts'

/** Products whose content changed, that were withdrawn, that came, or came back. */
export const productSource = ({ office }: FeedPlace): Source<Product> => ({
  ...{ name: 'products', system: 'inventory', idOf: ({ sku }) => sku },
  read: (query, asking) => office.changes.products(query, asking),
  take: (transaction, products, reading) => takeProducts(transaction, products, reading),
})

/** `sweeping`: what is found now counts, whatever time of change it has. */
export async function takeProducts(
  transaction: Database,
  products: readonly Product[],
  reading: Reading,
  sweeping = false,
): Promise<Taken> {
  const { owner } = reading.place
  const skus = products.map(({ sku }) => sku)
  const known = await holdResources<ProductState>(transaction, owner, 'product', skus, reading.askedAt)
  const states: NewState[] = []
  const details: string[] = []
  for (const product of products) {
    const before = known.get(product.sku)!
    const found = stateOf(product)
    if (before.state && isOutrun(before, reading)) continue
    if (!sweeping && before.state && isOlder(found.at, before.state, reading)) continue
    if (JSON.stringify(before.state) === JSON.stringify(found)) continue
    states.push({ id: product.sku, state: found })
    const news = productNews(before.state, found, isNew(found.at, reading))
    if (news === 'product.updated') await tellUpdated(transaction, reading, product.sku, found, 'details')
    if (news === 'product.deactivated') await tellDeactivated(transaction, reading, product.sku, found.at)
    if (before.state || !reading.baseline) details.push(product.sku)
  }
  await keepStates(transaction, owner, 'product', states, reading.askedAt)
  return { details, others: [] }
}
