import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../src/storage/database.ts'
import { transact } from '../../src/storage/transact.ts'
import { appendEvent } from '../../src/storage/webhooks/outbox.ts'

/** Events to append to the outbox, each in its own transaction, at an even rate; with `null` at full speed. */
export interface EventLoad {
  events: number
  perSecond: number | null
}

/** Returns when each event was committed, by its id, on the clock that all processes share. */
export async function appendEvents(db: Database, { events, perSecond }: EventLoad): Promise<Record<string, number>> {
  const committed: Record<string, number> = {}
  const startedAt = performance.now()
  for (let number = 0; number < events; number++) {
    const dueMs = perSecond === null ? 0 : startedAt + (number * 1_000) / perSecond - performance.now()
    if (dueMs > 0) await pause(dueMs)
    const data = { order_id: `O-${number}`, status: 'CONFIRMED', total: { amount: '100.00', currency: 'JMD' } }
    const resource = { type: 'order' as const, id: `O-${number}` }
    const event = { merchant: 'bench', mode: 'live' as const, type: 'order.confirmed' as const, resource, data }
    const id = await transact(db, (transaction) => appendEvent(transaction, { ...event, at: new Date().toISOString() }))
    committed[id] = performance.timeOrigin + performance.now()
  }
  return committed
}
