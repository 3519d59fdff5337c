import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { putCatalogParts } from '../../storage/catalog/catalog-products.ts'
import {
  addProductSales,
  deleteSalesBefore,
  listSkusWithSalesBefore,
  type ProductSales,
  sumProductSales,
} from '../../storage/catalog/product-sales.ts'
import {
  listUncountedOrders,
  markOrdersCounted,
  type UncountedOrder,
} from '../../storage/commerce/orders-awaiting-sales-count.ts'
import { transactInBackground } from '../../storage/transact-in-background.ts'
import type { ChangeJob, ChangeJobContext } from '../feed/change-job.ts'

const WEEK_MS = 7 * 86_400_000
/** This week and the twelve before it: the last 84 to 91 days. */
const WEEKS = 13
/** Orders, or products whose oldest orders no longer count, in one transaction, and transactions in one run. */
const SLICE = 25
const MAX_SLICES = 10

const toWeek = (ms: number) => Math.floor(ms / WEEK_MS)

/**
 * Returns the popularity of a product: 0 without orders, otherwise one more with each doubling of their number. So most orders change no
 * product, and lists stay cached.
 */
const toPopularity = (orders: number): number => (orders > 0 ? 32 - Math.clz32(orders) : 0)

/** Creates the job that counts, for each product, the confirmed orders of the last weeks. One transaction counts an order and marks it as counted. */
export function createPopularityJob({ db, now, tenant, canContinue, slowIntervalMs }: ChangeJobContext): ChangeJob {
  let hasMore = false

  /** Returns whether there may be more to count. */
  async function countSlice(): Promise<boolean> {
    const firstWeek = toWeek(now()) - WEEKS + 1
    const orders = await listUncountedOrders(db, tenant, SLICE)
    const expired = await listSkusWithSalesBefore(db, tenant, firstWeek, SLICE)
    if (orders.length + expired.length === 0 || !canContinue()) return false
    await transactInBackground(db, tenant, async (transaction) => {
      const marked = await markOrdersCounted(
        transaction,
        orders.map(({ order_id }) => order_id),
      )
      const sales = toSales(orders, marked).filter(({ week }) => week >= firstWeek)
      await addProductSales(transaction, tenant, sales)
      await deleteSalesBefore(transaction, tenant, expired, firstWeek)
      const skus = [...new Set([...sales.map(({ sku }) => sku), ...expired])]
      const sums = await sumProductSales(transaction, tenant, skus)
      const parts = skus.map((sku) => ({ sku, popularity: toPopularity(sums.get(sku) ?? 0) }))
      await putCatalogParts(transaction, tenant, parts, new Date(now()).toISOString())
    })
    return true
  }

  return {
    name: 'product sales',
    system: null,
    intervalMs: slowIntervalMs,
    hasWork: () => hasMore,
    async run() {
      hasMore = true
      for (let slice = 0; slice < MAX_SLICES && hasMore; slice++) {
        hasMore = await countSlice()
        // The store's calls may complete without yielding to the event loop.
        if (hasMore) await yieldToEventLoop()
      }
    },
  }
}

/** Returns the orders of each product and week that the marked orders add or take away. */
function toSales(orders: readonly UncountedOrder[], marked: ReadonlyMap<string, 1 | -1>): ProductSales[] {
  const sales = new Map<string, ProductSales>()
  for (const { order_id, created_at, skus } of orders.filter((order) => marked.has(order.order_id))) {
    const week = toWeek(Date.parse(created_at))
    for (const sku of skus) {
      const key = `${week} ${sku}`
      const before = sales.get(key)?.orders ?? 0
      sales.set(key, { sku, week, orders: before + marked.get(order_id)! })
    }
  }
  return [...sales.values()]
}
