import type { Stock, StockChange } from '../ports/inventory.ts'
import type { Database } from '../storage/database.ts'
import { holdResources, keepStates, knownResources, type NewState } from '../storage/changes/resource-states.ts'
import { type ProductState, type StockState, tellStock } from './product-and-stock-events.ts'
import { type FeedPlace, isOutrun, type Reading, type Source, type Taken } from './change-source.ts'

/** SKUs whose band is another than it was. */
export const stockSource = ({ office }: FeedPlace): Source<StockChange> => ({
  ...{ name: 'stock', system: 'inventory', idOf: ({ sku }) => sku },
  read: (query, asking) => office.changes.stock(query, asking),
  take: takeStock,
})

/** Levels end here: a band is kept, compared and told. The first that is seen of a SKU is no change, nor is anything of a withdrawn one. */
export async function takeStock(
  transaction: Database,
  levels: readonly { sku: string; stock: Stock }[],
  reading: Reading,
): Promise<Taken> {
  const { owner, office } = reading.place
  const skus = levels.map(({ sku }) => sku)
  const known = await holdResources<StockState>(transaction, owner, 'stock', skus, reading.askedAt)
  const products = await knownResources<ProductState>(transaction, owner, 'product', skus)
  const states: NewState[] = []
  for (const { sku, stock } of levels) {
    const before = known.get(sku)!
    if (before.state && isOutrun(before, reading)) continue
    const { band, eta } = office.changes.band(stock, before.state?.band)
    if (before.state?.band === band && before.state.eta === eta) continue
    states.push({ id: sku, state: { band, eta } satisfies StockState, dueOn: eta })
    if (!before.state || before.state.band === band || !products.get(sku)?.state?.active) continue
    await tellStock(transaction, reading, sku, { band, eta }, before.state)
  }
  await keepStates(transaction, owner, 'stock', states, reading.askedAt)
  return { details: [], others: reading.baseline ? [] : states.map(({ id }) => id) }
}
