import type { ChangeTimestamp } from '../../ports/change-feed.ts'
import type { Price } from '../../ports/pricing.ts'
import {
  lockResources,
  type NewResourceState,
  readResourceStates,
  storeResourceStates,
} from '../../storage/changes/resource-states.ts'
import type { Database } from '../../storage/database.ts'
import type { RequestScope } from '../../upstream/request/request-scope.ts'
import type { ChangeJobContext } from '../feed/change-job.ts'
import type { ChangeSource } from '../feed/change-source.ts'
import { isNewSinceBaseline, isOlderThanKnown } from '../feed/is-outdated-change.ts'
import { writeColumnRead } from './price-and-tax-refresh-writes.ts'
import { appendProductUpdatedEvent } from './product-and-stock-events.ts'
import type { ProductState } from './product-state.ts'

interface PriceState {
  /** The last change of any of its prices, by the system's clock. */
  at: string
}

interface PriceChange extends ChangeTimestamp {
  sku: string
  /** Its list price, which was read at `calledAt`; `null`: it has none. */
  listPrice?: { value: Price | null; calledAt: string }
}

/** SKUs with a changed price. Events do not say which price or whose, so that they reveal no customer's price. */
export const createPriceSource = (context: ChangeJobContext): ChangeSource<PriceChange> => ({
  name: 'prices',
  system: 'pricing',
  idOf: ({ sku }) => sku,
  read: (query, requestScope) => context.backOffice.changes.prices(query, requestScope),
  complete: (changes, requestScope) =>
    context.hasMirror ? addListPrices(context, changes, requestScope) : Promise.resolve(changes),
  async apply(transaction, changes, reading) {
    const { tenant } = context
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
    await writeListPrices(transaction, context, changes)
    return { details: [], others: reading.isBaseline ? [] : states.map(({ id }) => id) }
  },
})

/** Reads the list prices of SKUs with a new change, so that no event comes before the store has them. */
async function addListPrices(
  { db, now, tenant, backOffice }: ChangeJobContext,
  changes: PriceChange[],
  requestScope: RequestScope,
): Promise<PriceChange[]> {
  const skus = changes.map(({ sku }) => sku)
  const known = await readResourceStates<PriceState>(db, tenant, 'price', skus)
  const isNew = ({ sku, updated_at }: PriceChange) => known.get(sku)?.state?.at !== updated_at
  const unread = changes.filter(isNew).map(({ sku }) => sku)
  if (unread.length === 0) return changes
  const calledAt = new Date(now()).toISOString()
  const prices = await backOffice.changes.listPrices(unread, requestScope)
  const found = new Map(prices.map((price) => [price.sku, price]))
  return changes.map((change) =>
    isNew(change) ? { ...change, listPrice: { value: found.get(change.sku) ?? null, calledAt } } : change,
  )
}

async function writeListPrices(
  transaction: Database,
  context: ChangeJobContext,
  changes: readonly PriceChange[],
): Promise<void> {
  const read = changes.filter(({ listPrice }) => listPrice)
  const calledAt = read[0]?.listPrice?.calledAt
  if (calledAt === undefined) return
  const values = read.flatMap(({ listPrice }) => listPrice?.value ?? [])
  const skus = read.map(({ sku }) => sku)
  await writeColumnRead(transaction, context, { column: 'price', skus, values, calledAt })
}
