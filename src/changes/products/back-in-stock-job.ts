import {
  type DueBackInStockRequest,
  listDueBackInStockRequests,
  takeBackInStockRequest,
} from '../../storage/shoppers/back-in-stock-requests.ts'
import { transact } from '../../storage/transact.ts'
import { appendEvent } from '../../storage/webhooks/outbox.ts'
import type { FeedContext, FeedJob } from '../feed/change-source.ts'
import type { ProductState, StockState } from './product-and-stock-events.ts'

/** Requests per run; the next run follows at once while there are more. */
const MAX_REQUESTS_PER_RUN = 100

/**
 * Creates the job that answers requests for products that are in stock again. A request is deleted in the transaction that stores its
 * event, so that each is answered once. The email follows the transaction.
 */
export function createBackInStockJob(context: FeedContext): FeedJob {
  const { db, tenant, now, catalogDelayMs } = context
  let hasMore = false

  async function run(): Promise<void> {
    const at = new Date(now()).toISOString()
    const due = await listDueBackInStockRequests(db, tenant, at, MAX_REQUESTS_PER_RUN)
    hasMore = due.length === MAX_REQUESTS_PER_RUN
    for (const request of due) {
      if (!context.canContinue()) return
      const { sku, customer_id: customerId } = request
      const { name } = JSON.parse(request.product) as ProductState
      if (await answerRequest(request, at)) context.onBackInStock?.(tenant, { customerId, sku, name })
    }
  }

  /** Returns whether this process answered it. */
  function answerRequest(
    { request_id, customer_id, sku, created_at, stock }: DueBackInStockRequest,
    at: string,
  ): Promise<boolean> {
    const { band } = JSON.parse(stock) as StockState
    const heldUntil = catalogDelayMs > 0 ? new Date(Date.parse(at) + catalogDelayMs).toISOString() : undefined
    const data = { sku, band, customer_id, requested_at: created_at }
    const resource = { type: 'product' as const, id: sku }
    return transact(db, async (transaction) => {
      if (!(await takeBackInStockRequest(transaction, request_id))) return false
      await appendEvent(transaction, { ...tenant, type: 'product.back_in_stock', resource, data, at, heldUntil })
      return true
    })
  }

  return { name: 'back in stock', system: null, run, hasWork: () => hasMore }
}
