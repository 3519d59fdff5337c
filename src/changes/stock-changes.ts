import type { Stock, StockChange } from '../ports/inventory.ts'
import {
  lockResources,
  type NewResourceState,
  readResourceStates,
  storeResourceStates,
} from '../storage/changes/resource-states.ts'
import type { Database } from '../storage/database.ts'
import {
  type ChangeReadContext,
  type ChangeSource,
  type FeedContext,
  isSupersededRead,
  type StaleSkus,
} from './change-source.ts'
import { appendStockChangedEvent, type ProductState, type StockState } from './product-and-stock-events.ts'

/** SKUs whose band is another than it was. */
export const createStockSource = ({ backOffice }: FeedContext): ChangeSource<StockChange> => ({
  ...{ name: 'stock', system: 'inventory', idOf: ({ sku }) => sku },
  read: (query, requestScope) => backOffice.changes.stock(query, requestScope),
  take: applyStockChanges,
})

/** Levels end here: a band is kept, compared and told. The first that is seen of a SKU is no change, nor is anything of a withdrawn one. */
export async function applyStockChanges(
  transaction: Database,
  levels: readonly { sku: string; stock: Stock }[],
  reading: ChangeReadContext,
): Promise<StaleSkus> {
  const { owner, backOffice } = reading.place
  const skus = levels.map(({ sku }) => sku)
  const known = await lockResources<StockState>(transaction, owner, 'stock', skus, reading.askedAt)
  const products = await readResourceStates<ProductState>(transaction, owner, 'product', skus)
  const states: NewResourceState[] = []
  for (const { sku, stock } of levels) {
    const before = known.get(sku)!
    if (before.state && isSupersededRead(before, reading)) continue
    const { band, eta } = backOffice.changes.band(stock, before.state?.band)
    if (before.state?.band === band && before.state.eta === eta) continue
    states.push({ id: sku, state: { band, eta } satisfies StockState, dueOn: eta })
    if (!before.state || before.state.band === band || !products.get(sku)?.state?.active) continue
    await appendStockChangedEvent(transaction, reading, sku, { band, eta }, before.state)
  }
  await storeResourceStates(transaction, owner, 'stock', states, reading.askedAt)
  return { details: [], others: reading.baseline ? [] : states.map(({ id }) => id) }
}
