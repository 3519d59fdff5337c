import { Type } from 'typebox'
import type { RefusalReason } from '../../../src/ports/order.ts'
import { shape } from '../../../src/upstream/response-schema.ts'
import { nullable } from '../client/tryton-values.ts'

/**
 * What stands in a sale's description: the channel, and after it what became of the order where Tryton has no state for it.
 * People may read it; the adapter reads it back.
 */
export const CHANNEL = 'ECOMMERCE'

export interface RefusedMark {
  reason: RefusalReason
  skus: string[]
  available: string | null
}

export interface CancelledMark {
  /** RFC 3339, UTC. */
  at: string
  reason: string
  note: string | null
}

export const refusedMark = (refused: RefusedMark) => `${CHANNEL} refused ${JSON.stringify(refused)}`
export const cancelledMark = (cancelled: CancelledMark) => `${CHANNEL} cancelled ${JSON.stringify(cancelled)}`

export const refusedOf = (description: string | null) => read<RefusedMark>(Refused, description, 'refused')
export const cancelledOf = (description: string | null) => read<CancelledMark>(Cancelled, description, 'cancelled')

const Text = nullable(Type.String())
const Refused = shape(Type.Object({ reason: Type.String(), skus: Type.Array(Type.String()), available: Text }))
const Cancelled = shape(Type.Object({ at: Type.String(), reason: Type.String(), note: Text }))

function read<T>(mark: { parse(value: unknown): unknown }, description: string | null, word: string): T | null {
  const start = `${CHANNEL} ${word} `
  if (!description?.startsWith(start)) return null
  try {
    return mark.parse(JSON.parse(description.slice(start.length))) as T
  } catch {
    // Somebody changed it.
    return null
  }
}
