import { Type } from 'typebox'
import type { OrderRefusalReason } from '../../../src/ports/order.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { nullable } from '../client/tryton-values.ts'

/**
 * What stands in a sale's description: the channel, and after it what became of the order where Tryton has no state for it.
 * People may read it; the adapter reads it back.
 */
export const SALES_CHANNEL = 'ECOMMERCE'

export interface OrderRefusal {
  reason: OrderRefusalReason
  skus: string[]
  available: string | null
}

export interface OrderCancellation {
  /** RFC 3339, UTC. */
  at: string
  reason: string
  note: string | null
}

export const formatRefusal = (refused: OrderRefusal) => `${SALES_CHANNEL} refused ${JSON.stringify(refused)}`
export const formatCancellation = (cancelled: OrderCancellation) =>
  `${SALES_CHANNEL} cancelled ${JSON.stringify(cancelled)}`

export const parseRefusal = (description: string | null) => read<OrderRefusal>(Refused, description, 'refused')
export const parseCancellation = (description: string | null) =>
  read<OrderCancellation>(Cancelled, description, 'cancelled')

const Text = nullable(Type.String())
const Refused = responseSchema(Type.Object({ reason: Type.String(), skus: Type.Array(Type.String()), available: Text }))
const Cancelled = responseSchema(Type.Object({ at: Type.String(), reason: Type.String(), note: Text }))

function read<T>(mark: { parse(value: unknown): unknown }, description: string | null, word: string): T | null {
  const start = `${SALES_CHANNEL} ${word} `
  if (!description?.startsWith(start)) return null
  try {
    return mark.parse(JSON.parse(description.slice(start.length))) as T
  } catch {
    // Somebody changed it.
    return null
  }
}
