import type { Mode } from '../../config/config.ts'
import { UpstreamError } from '../../errors.ts'
import { leaseOrder, listDueOrders, type OrderRecord, postponeOrder } from '../../storage/commerce/orders.ts'
import type { AccountingClient } from '../../upstream/accounting-client.ts'
import { createRequestScope } from '../../upstream/request-scope.ts'
import type { CommandDependencies } from '../command-context.ts'
import { markOrderConfirmed, markOrderRefused } from './order-transitions.ts'

export interface PendingOrderRetrierParts {
  commerce: Pick<CommandDependencies, 'db' | 'now'>
  /** `null`: the merchant is not in the configuration (any more). */
  backOfficeFor(merchant: string, mode: Mode): { accounting: Pick<AccountingClient, 'placeOrder'> } | null
  /** Told of what went wrong here, not at the ledger. */
  onError?: (error: unknown) => void
  /** `null`: rounds are made by hand. */
  intervalMs?: number | null
  random?: () => number
}

/** Asks for the answers that are missing: every order gets one, whoever died or gave up meanwhile. */
export interface PendingOrderRetrier extends AsyncDisposable {
  /** One round: looks for orders whose time has come, and ends when all that is under way has. */
  settle(): Promise<void>
}

const INTERVAL_MS = 1_000
const MOST_AT_ONCE = 100
/** Asked at a time of one ledger. */
const WORKERS = 4
/** Longer than checkout waits: nobody stands at the counter. */
const ANSWER_MS = 10_000
const LEASE_MS = 15_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** How long an orderly end waits for answers; what is let go of is asked for again when its lease is over. */
const PARTING_MS = 2_000

export function createPendingOrderRetrier({
  commerce,
  backOfficeFor,
  onError = () => {},
  intervalMs = INTERVAL_MS,
  random = Math.random,
}: PendingOrderRetrierParts): PendingOrderRetrier {
  const { db, now } = commerce
  /** By merchant and mode: a ledger that is slow holds up its own orders alone. */
  const busy = new Map<string, { tenant_id: string; mode: Mode; work: Promise<void> }>()
  const timer = intervalMs === null ? undefined : setInterval(() => void look().catch(onError), intervalMs)
  let looking: Promise<void> | undefined
  let stopped = false

  const underWay = () => [...busy.values()].map(({ work }) => work)
  const later = (ms: number) => new Date(now() + ms).toISOString()

  function look(): Promise<void> {
    looking ??= lookOnce().finally(() => {
      looking = undefined
    })
    return looking
  }

  async function lookOnce(): Promise<void> {
    if (stopped) return
    const due = await listDueOrders(db, later(0), MOST_AT_ONCE, [...busy.values()])
    for (const [owner, orders] of Map.groupBy(due, ({ tenant_id, mode }) => `${tenant_id}/${mode}`)) {
      const { tenant_id, mode } = orders[0]!
      busy.set(owner, { tenant_id, mode, work: workThrough(orders).finally(() => busy.delete(owner)) })
    }
  }

  async function workThrough(orders: OrderRecord[]): Promise<void> {
    const left = orders.values()
    const work = async () => {
      for (const order of left) {
        if (stopped) return
        await settleOne(order).catch(onError)
      }
    }
    await Promise.all(Array.from({ length: WORKERS }, work))
  }

  async function settleOne(order: OrderRecord): Promise<void> {
    if (!(await leaseOrder(db, order, later(LEASE_MS)))) return
    const account = backOfficeFor(order.tenant_id, order.mode)?.accounting
    const requestScope = createRequestScope(
      { requestId: `settle-${order.order_id}` },
      { totalMs: ANSWER_MS, reserveMs: 0 },
      now,
    )
    try {
      if (!account) throw new UpstreamError('not_configured', `no merchant ${order.tenant_id}`)
      const answer = await account.placeOrder(order.draft, { requestScope, priority: 'checkout', timeoutMs: ANSWER_MS })
      if (answer.state === 'placed') await markOrderConfirmed(commerce, order, answer.order)
      else await markOrderRefused(commerce, order, answer.reason)
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      await postponeOrder(db, order, later(pauseMs(order.attempts)))
    }
  }

  /** Doubles with each try, a quarter more or less, so that orders which failed together do not come back together. */
  function pauseMs(attempts: number): number {
    return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempts, 6)) * (0.75 + random() / 2)
  }

  return {
    async settle() {
      await look()
      await Promise.all(underWay())
    },
    async [Symbol.asyncDispose]() {
      stopped = true
      clearInterval(timer)
      const { promise: parted, resolve } = Promise.withResolvers<void>()
      const parting = setTimeout(resolve, PARTING_MS)
      const ended = Promise.allSettled([looking]).then(() => Promise.allSettled(underWay()))
      await Promise.race([ended, parted])
      clearTimeout(parting)
    },
  }
}
