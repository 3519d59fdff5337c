import { UpstreamError } from '../../errors.ts'
import { startPoller } from '../../lifecycle/poller.ts'
import { BACKGROUND_STOP_TIMEOUT_MS, waitUpTo } from '../../lifecycle/wait-up-to.ts'
import type { OrderRecord } from '../../storage/commerce/orders.ts'
import { leaseOrder, listDueOrders, postponeOrder } from '../../storage/commerce/pending-orders.ts'
import { syncWal } from '../../storage/sqlite/sync-wal.ts'
import { tenantOf } from '../../storage/tenant-columns.ts'
import { type Tenant, tenantKey } from '../../tenant.ts'
import type { AccountingClient } from '../../upstream/readers/accounting-client.ts'
import { createRequestScope } from '../../upstream/request/request-scope.ts'
import type { CommandDependencies } from '../command-context.ts'
import { markOrderConfirmed, markOrderRefused } from './order-transitions.ts'
import { type OrderTryResult, recordOrderTry } from './record-order-try.ts'

export interface PendingOrderRetrierParts {
  commerce: Pick<CommandDependencies, 'db' | 'now'>
  /** `null`: the merchant is not configured (any more). */
  backOfficeFor(tenant: Tenant): { accounting: Pick<AccountingClient, 'placeOrder'> } | null
  /** Receives internal errors, not failures of accounting. */
  onError?: (error: unknown) => void
  /** `null`: no timer; rounds run when called. */
  intervalMs?: number | null
  random?: () => number
}

/** Sends orders again that accounting has not responded to, until each is confirmed or refused. */
export interface PendingOrderRetrier extends AsyncDisposable {
  /** Runs one round: starts the due orders and resolves when all running ones are done. */
  runOnce(): Promise<void>
}

const INTERVAL_MS = 1_000
const MAX_DUE = 100
/** Concurrent orders of one tenant. */
const WORKERS = 4
/** Longer than in a checkout, since no shopper waits. */
const PLACE_ORDER_TIMEOUT_MS = 10_000
const LEASE_MS = 15_000
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000

export function createPendingOrderRetrier({
  commerce,
  backOfficeFor,
  onError = () => {},
  intervalMs = INTERVAL_MS,
  random = Math.random,
}: PendingOrderRetrierParts): PendingOrderRetrier {
  const { db, now } = commerce
  /** The tenants with running orders. A slow accounting system delays its own tenant's orders only. */
  const running = new Map<string, Tenant & { work: Promise<void> }>()
  const poller = startPoller({ round: startDueOrders, intervalMs, onError })

  const runningWork = () => [...running.values()].map(({ work }) => work)
  const instantIn = (ms: number) => new Date(now() + ms).toISOString()

  async function startDueOrders(): Promise<void> {
    const due = await listDueOrders(db, instantIn(0), MAX_DUE, [...running.values()])
    for (const [key, orders] of Map.groupBy(due, (order) => tenantKey(tenantOf(order)))) {
      const work = retryOrders(orders).finally(() => running.delete(key))
      running.set(key, { ...tenantOf(orders[0]!), work })
    }
  }

  async function retryOrders(orders: OrderRecord[]): Promise<void> {
    const remaining = orders.values()
    const worker = async () => {
      for (const order of remaining) {
        if (poller.isStopped) return
        await retryOrder(order).catch(onError)
      }
    }
    await Promise.all(Array.from({ length: WORKERS }, worker))
  }

  async function retryOrder(order: OrderRecord): Promise<void> {
    if (!(await leaseOrder(db, order, instantIn(LEASE_MS)))) return
    const startedAt = now()
    const recordTry = (result: OrderTryResult) =>
      recordOrderTry(commerce, order, { number: order.attempts + 1, startedAt, result })
    const accounting = backOfficeFor(tenantOf(order))?.accounting
    const requestScope = createRequestScope(
      { requestId: `settle-${order.order_id}` },
      { totalMs: PLACE_ORDER_TIMEOUT_MS, reserveMs: 0 },
      now,
    )
    try {
      if (!accounting) throw new UpstreamError('not_configured', `merchant ${order.tenant_id} is not configured`)
      // The checkout that stored the order may have ended before it was synced.
      await syncWal(db)
      const result = await accounting.placeOrder(order.draft, {
        requestScope,
        priority: 'checkout',
        timeoutMs: PLACE_ORDER_TIMEOUT_MS,
      })
      await recordTry(result)
      if (result.state === 'placed') await markOrderConfirmed(commerce, order, result.order)
      else await markOrderRefused(commerce, order, result.reason)
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      await recordTry(error)
      await postponeOrder(db, order, instantIn(retryDelayMs(order.attempts)))
    }
  }

  /** Doubles with each attempt, ± 25 % jitter, so that orders which failed together are not retried together. */
  function retryDelayMs(attempts: number): number {
    return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts, 6)) * (0.75 + random() / 2)
  }

  return {
    async runOnce() {
      await poller.poll()
      await Promise.all(runningWork())
    },
    async [Symbol.asyncDispose]() {
      // Orders that still wait for accounting then are retried when their leases have expired.
      const ended = poller[Symbol.asyncDispose]().then(() => Promise.allSettled(runningWork()))
      await waitUpTo(BACKGROUND_STOP_TIMEOUT_MS, ended)
    },
  }
}
