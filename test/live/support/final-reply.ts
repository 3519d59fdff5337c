import { setTimeout as pause } from 'node:timers/promises'
import type { Reply } from '../../support/http-exchange.ts'

/**
 * What a storefront is told in the end: it asks again when it is told to come back, as it may be where a slow machine's Tryton takes
 * longer than the seconds that the call has. What was begun then is found, and not done twice.
 */
export async function requestFinalReply(
  ask: () => Promise<Reply>,
  isOver: (reply: Reply) => boolean = () => true,
): Promise<Reply> {
  for (;;) {
    const reply = await ask()
    const isInFlight = reply.status === 409 && reply.body.code === 'idempotency_in_flight'
    if (reply.status < 500 && reply.status !== 429 && !isInFlight && isOver(reply)) return reply
    await pause(100)
  }
}

/** Whether the ledger has said what became of an order. */
export const isOrderFinal = ({ status, body }: Reply) => status !== 200 || body.state !== 'processing'
