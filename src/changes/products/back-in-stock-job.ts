import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { takeBackInStockRequest } from '../../storage/shoppers/back-in-stock-requests.ts'
import {
  type BackInStockPosition,
  type DueBackInStockRequest,
  readBackInStockPage,
} from '../../storage/shoppers/due-back-in-stock-requests.ts'
import { transactInBackground } from '../../storage/transact-in-background.ts'
import { appendEvent } from '../../storage/webhooks/outbox.ts'
import type { ChangeJob, ChangeJobContext } from '../feed/change-job.ts'
import type { ProductState, StockState } from './product-state.ts'

/** Requests that one query compares with the stock: with SQLite, the process does nothing else meanwhile. */
const PAGE_SIZE = 1_000

/**
 * Creates the job that fulfils requests for products that are in stock again. A request is deleted in the transaction that stores its
 * event, so that each is fulfilled once. The email follows the transaction.
 */
export function createBackInStockJob(context: ChangeJobContext): ChangeJob {
  const { db, tenant, now, catalogDelayMs } = context

  async function run(): Promise<void> {
    const at = new Date(now()).toISOString()
    let after: BackInStockPosition | null = null
    do {
      const { due, end } = await readBackInStockPage(db, tenant, { now: at, after, size: PAGE_SIZE })
      for (const request of due) {
        if (!context.canContinue()) return
        await answer(request, at)
        await yieldToEventLoop()
      }
      after = end
      await yieldToEventLoop()
    } while (after && context.canContinue())
  }

  async function answer(request: DueBackInStockRequest, at: string): Promise<void> {
    const { sku, customer_id: customerId } = request
    const { name } = JSON.parse(request.product) as ProductState
    if (await storeAnswer(request, at)) context.onBackInStock?.(tenant, { customerId, sku, name })
  }

  /** Returns whether this process fulfilled it. */
  function storeAnswer(
    { request_id, customer_id, sku, created_at, stock }: DueBackInStockRequest,
    at: string,
  ): Promise<boolean> {
    const { band } = JSON.parse(stock) as StockState
    const heldUntil = catalogDelayMs > 0 ? new Date(Date.parse(at) + catalogDelayMs).toISOString() : undefined
    const data = { sku, band, customer_id, requested_at: created_at }
    const resource = { type: 'product' as const, id: sku }
    return transactInBackground(db, tenant, async (transaction) => {
      if (!(await takeBackInStockRequest(transaction, request_id))) return false
      await appendEvent(transaction, { ...tenant, type: 'product.back_in_stock', resource, data, at, heldUntil })
      return true
    })
  }

  return { name: 'back in stock', system: null, run }
}
