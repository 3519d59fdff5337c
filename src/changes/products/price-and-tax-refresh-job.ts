import {
  listLongestUnread,
  listUnreadProducts,
  type RefreshedColumn,
  type RefreshRow,
} from '../../storage/catalog/price-and-tax-refresh-queries.ts'
import { transactInBackground } from '../../storage/transact-in-background.ts'
import type { ChangeJob, ChangeJobContext } from '../feed/change-job.ts'
import { writeColumnRead } from './price-and-tax-refresh-writes.ts'

/** SKUs in one call of the reader, and calls in one run. */
const SLICE = 200
const MAX_SLICES = 10

/**
 * Creates the job that reads list prices or taxes: first those of products that must be read, then those that were read the longest time ago, since
 * prices also change without a change time.
 */
export function createPriceAndTaxRefreshJob(context: ChangeJobContext, column: RefreshedColumn): ChangeJob {
  const { db, now, tenant, parts, backOffice } = context
  const isPrice = column === 'price'
  const part = isPrice ? 'prices' : 'taxes'
  const name = isPrice ? 'list prices' : 'list taxes'
  let seenChanges = -1
  let hasMore = false
  /** A read has succeeded, or was tried: without one it is not known whether the system exists. */
  let hasRead = false

  async function readSlice(rows: readonly RefreshRow[]): Promise<void> {
    if (rows.length === 0) return
    hasRead = true
    const calledAt = new Date(now()).toISOString()
    const skus = rows.map(({ sku }) => sku)
    const scope = context.requestScope()
    const values = await (isPrice
      ? backOffice.changes.listPrices(skus, scope)
      : backOffice.changes.listTaxes(skus, scope))
    if (!context.canContinue()) return
    await transactInBackground(db, tenant, (transaction) =>
      writeColumnRead(transaction, context, { column, skus, values, calledAt }, rows),
    )
  }

  async function readProducts(): Promise<void> {
    const asOf = new Date(now()).toISOString()
    seenChanges = parts.productChanges
    hasMore = false
    let hasUnread = true
    for (let slice = 0; slice < MAX_SLICES && hasUnread; slice++) {
      const rows = await listUnreadProducts(db, tenant, column, SLICE)
      if (rows.length > 0) await readSlice(rows)
      if (!context.canContinue()) return
      hasUnread = rows.length === SLICE
    }
    hasMore = hasUnread
    if (!hasUnread) await readSlice(await listLongestUnread(db, tenant, column, SLICE))
    if (!hasRead) return
    const isComplete = (await listUnreadProducts(db, tenant, column, 1)).length === 0
    // Products that were written while they were read must be read again.
    hasMore ||= !isComplete
    const keepsTime = !isPrice || !parts.hasFeed('prices')
    const isFilled = isComplete && (await parts.isFilled('products'))
    await parts.succeed(part, name, { isFilled, ...(keepsTime && { asOf }) })
  }

  return {
    name,
    system: isPrice ? 'pricing' : 'accounting',
    callsSystem: true,
    get intervalMs() {
      return isPrice && !parts.hasFeed('prices') ? undefined : context.slowIntervalMs
    },
    hasWork: () => hasMore || seenChanges !== parts.productChanges,
    async run() {
      try {
        await readProducts()
      } catch (error) {
        await parts.fail(part, name, error)
        throw error
      }
    },
  }
}
