import { setTimeout as pause } from 'node:timers/promises'
import type { Reply } from '../../support/send-http-request.ts'

/** A limit long enough for a busy machine: only what never happens fails. */
const PATIENCE_MS = 900_000

/**
 * Returns the final response to a request. It retries as a storefront does when it is told to, because a call to Tryton
 * may fail on a slow machine: the request fails, or a section of the response does and has its last-good value. The work
 * that was started is continued, and not repeated.
 */
export async function requestFinalReply(
  ask: () => Promise<Reply>,
  isOver: (reply: Reply) => boolean = () => true,
): Promise<Reply> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const reply = await ask()
    const isInFlight = reply.status === 409 && reply.body.code === 'idempotency_in_flight'
    if (reply.status < 500 && reply.status !== 429 && !isInFlight && isWhole(reply) && isOver(reply)) return reply
    if (Date.now() > end) throw new Error(`never final: ${reply.status} ${reply.text}`)
    await pause(100)
  }
}

/** Returns true when no section of a response failed. A section that the merchant's systems do not offer is no failure. */
export const isWhole = ({ status, body }: Pick<Reply, 'status' | 'body'>) =>
  status >= 400 || (body?.errors ?? []).every(({ code }: { code: string }) => code === 'not_configured')

/** Returns true when the order is final. */
export const isOrderFinal = ({ status, body }: Reply) => status !== 200 || body.state !== 'processing'
