import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type Poller, startPoller } from '../lifecycle/poller.ts'
import type { Database } from '../storage/database.ts'
import { listUnnumberedTenants, NUMBERED_PER_TRANSACTION, numberEvents } from '../storage/webhooks/event-positions.ts'

const INTERVAL_MS = 1_000

export interface EventNumberingParts {
  db: Database
  now: () => number
  onError(error: unknown): void
  /** `null`: rounds run only when `poll` is called. */
  intervalMs?: number | null
}

/** Numbers new events in the background, so that a client that has not polled for weeks does not wait for the numbering. */
export function startEventNumbering({ db, now, onError, intervalMs = INTERVAL_MS }: EventNumberingParts): Poller {
  async function numberAll(): Promise<void> {
    for (const tenant of await listUnnumberedTenants(db, now()))
      while (!poller.isStopped && (await numberEvents(db, tenant, now())) === NUMBERED_PER_TRANSACTION)
        await yieldToEventLoop()
  }
  const poller = startPoller({ round: numberAll, intervalMs, onError })
  return poller
}
