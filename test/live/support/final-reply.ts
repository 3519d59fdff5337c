import { setTimeout as pause } from 'node:timers/promises'
import type { Reply } from '../../support/http-exchange.ts'

/**
 * Returns the final response to a request. It retries as a storefront does when it is told to, because Tryton on a slow
 * machine may exceed the deadline. The work that was started is continued, and not repeated.
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

/** Returns true when the order is final. */
export const isOrderFinal = ({ status, body }: Reply) => status !== 200 || body.state !== 'processing'
