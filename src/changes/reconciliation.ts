import { UpstreamError } from '../errors.ts'
import type { InventoryItem } from '../ports/inventory.ts'
import {
  clearResourceDueDates,
  listDueResources,
  listLeastRecentlyChecked,
  listMostRecentlyChecked,
  lockResources,
  markResourcesChecked,
  readResourceStates,
  storeResourceStates,
} from '../storage/changes/resource-states.ts'
import type { Database } from '../storage/database.ts'
import { transact } from '../storage/transact.ts'
import {
  type ChangeReadContext,
  type FeedContext,
  type FeedJob,
  invalidateStaleSkus,
  type StaleSkus,
} from './change-source.ts'
import { appendProductDeactivatedEvent, type ProductState } from './product-and-stock-events.ts'
import { applyProductChanges } from './product-changes.ts'
import { applyStockChanges } from './stock-changes.ts'

const SLICE = 200
const CHUNK = 50
const EVERY_MS = 60_000
/** One answer that leaves a SKU out may be a fault of that moment. */
const GONE_AFTER = 2
const WITNESSES = 5

/**
 * Looks at all known SKUs in turns, those longest unchecked first: what was deleted leaves no change behind, some changes have no time,
 * and a promised day passes by itself.
 */
export function createReconciliationJob(place: FeedContext): FeedJob {
  const { db, now, owner, backOffice } = place
  const instant = () => new Date(now()).toISOString()

  async function slice(today: string): Promise<string[]> {
    const due = await listDueResources(db, owner, 'stock', today, SLICE / 2)
    const oldest = await listLeastRecentlyChecked(db, owner, 'product', SLICE)
    return [...new Set([...due.map(({ id }) => id), ...oldest])].slice(0, SLICE)
  }

  async function ask(skus: readonly string[]): Promise<Map<string, InventoryItem>> {
    const found = await backOffice.changes.items(skus, place.requestScope())
    return new Map(found.map((item) => [item.sku, item]))
  }

  /**
   * What would be taken for gone is asked for once more without the others: an adapter leaves out rows that it cannot read, and fails
   * where it can read none. Gives those that may be there.
   */
  async function lookAgain(skus: readonly string[], items: Map<string, InventoryItem>): Promise<ReadonlySet<string>> {
    const missing = skus.filter((sku) => !items.get(sku)?.product)
    const known = await readResourceStates<ProductState>(db, owner, 'product', missing)
    const suspects = missing.filter((sku) => known.get(sku)?.state?.active && known.get(sku)?.state?.missed)
    if (suspects.length === 0) return new Set()
    try {
      if (await isBlind(suspects)) return new Set(suspects)
      for (const [sku, item] of await ask(suspects)) items.set(sku, item)
      return new Set()
    } catch (error) {
      if (error instanceof UpstreamError && error.failure === 'invalid') return new Set(suspects)
      throw error
    }
  }

  /** Whether the inventory does not know of products either that it had a moment ago: one that is being restored answers, and has nothing. */
  async function isBlind(suspects: readonly string[]): Promise<boolean> {
    const seen = (await listMostRecentlyChecked(db, owner, 'product', SLICE)).filter((sku) => !suspects.includes(sku))
    const known = await readResourceStates<ProductState>(db, owner, 'product', seen)
    const witnesses = seen.filter((sku) => known.get(sku)?.state?.active).slice(0, WITNESSES)
    if (witnesses.length === 0) return suspects.length > WITNESSES
    return [...(await ask(witnesses)).values()].every(({ product }) => !product)
  }

  async function run(): Promise<void> {
    const today = backOffice.today()
    const skus = await slice(today)
    if (skus.length === 0) return
    const askedAt = instant()
    const items = await ask(skus)
    const unsure = await lookAgain(skus, items)
    for (let from = 0; from < skus.length; from += CHUNK) {
      if (!place.holds()) return
      const some = skus.slice(from, from + CHUNK)
      const at = instant()
      const reading: ChangeReadContext = { place, askedAt, at, baseline: false, beganAt: at }
      const changed = await transact(db, async (transaction) => {
        const taken = await compare(transaction, some, { items, unsure }, reading)
        await clearResourceDueDates(transaction, owner, 'stock', some, today)
        return taken
      })
      invalidateStaleSkus(place, changed)
    }
  }

  // Where the inventory tells of no stock, looking is all there is.
  return {
    ...{ name: 'sweep', system: 'inventory', run },
    ...(backOffice.changes.tellsOfStock && { everyMs: EVERY_MS }),
  }
}

async function compare(
  transaction: Database,
  skus: readonly string[],
  { items, unsure }: { items: ReadonlyMap<string, InventoryItem>; unsure: ReadonlySet<string> },
  reading: ChangeReadContext,
): Promise<StaleSkus> {
  const { owner } = reading.place
  const there = skus.flatMap((sku) => items.get(sku) ?? [])
  const products = there.flatMap(({ product }) => product ?? [])
  const levels = there.flatMap(({ sku, stock }) => (stock ? { sku, stock } : []))
  const missing = skus.filter((sku) => !items.get(sku)?.product && !unsure.has(sku))
  // All in one order, before any of them: others hold the same ones.
  await lockResources(transaction, owner, 'product', skus, reading.askedAt)
  const { details } = await applyProductChanges(transaction, products, reading, true)
  const gone = await takeMissing(transaction, missing, reading)
  const { others } = await applyStockChanges(transaction, levels, reading)
  const looked = [...products.map(({ sku }) => sku), ...skus.filter((sku) => unsure.has(sku))]
  await markResourcesChecked(transaction, owner, 'product', looked, reading.askedAt)
  return { details: [...details, ...gone], others }
}

/** Gives those that are gone for good. What was missed once keeps its place in the line, and is looked for again in the next round. */
async function takeMissing(
  transaction: Database,
  skus: readonly string[],
  reading: ChangeReadContext,
): Promise<string[]> {
  const { owner } = reading.place
  const known = await lockResources<ProductState>(transaction, owner, 'product', skus, reading.askedAt)
  const gone: string[] = []
  for (const [sku, { state, checkedAt }] of known) {
    if (!state) continue
    const missed = Math.min((state.missed ?? 0) + 1, GONE_AFTER)
    const isGone = missed === GONE_AFTER
    const found: ProductState = { ...state, missed, active: state.active && !isGone }
    await storeResourceStates(
      transaction,
      owner,
      'product',
      [{ id: sku, state: found }],
      isGone ? reading.askedAt : checkedAt,
    )
    if (!isGone || !state.active) continue
    gone.push(sku)
    await appendProductDeactivatedEvent(transaction, reading, sku, reading.at)
  }
  return gone
}
