import { Type } from 'typebox'
import type { OrderRefusalReason } from '../../../src/ports/order.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { nullable } from '../client/tryton-values.ts'

/**
 * The start of the description of a sale: the channel, followed by an outcome for which Tryton has no state. People may
 * read it, and the adapter parses it.
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

export const formatRefusal = (refusal: OrderRefusal) => `${SALES_CHANNEL} refused ${JSON.stringify(refusal)}`
export const formatCancellation = (cancellation: OrderCancellation) =>
  `${SALES_CHANNEL} cancelled ${JSON.stringify(cancellation)}`

/**
 * The values that store an outcome on a sale. From 8.2 on, only a draft's description may be written, so that it becomes
 * the first line of the comment.
 */
export const toOutcomeValues = (sale: { comment: string | null }, outcome: string, isInComment: boolean) =>
  isInComment ? { comment: [outcome, sale.comment].filter(Boolean).join('\n') } : { description: outcome }

/** Returns a sale with the outcome as its description, wherever it is stored. */
export function withOutcome<S extends { comment: string | null; description: string | null }>(sale: S): S {
  const [line = '', ...rest] = sale.comment?.split('\n') ?? []
  if (!parseRefusal(line) && !parseCancellation(line)) return sale
  return { ...sale, description: line, comment: rest.join('\n') || null }
}

export const parseRefusal = (description: string | null) =>
  parseMark<OrderRefusal>(RefusalShape, description, 'refused')
export const parseCancellation = (description: string | null) =>
  parseMark<OrderCancellation>(CancellationShape, description, 'cancelled')

const Text = nullable(Type.String())
const RefusalShape = responseSchema(
  Type.Object({ reason: Type.String(), skus: Type.Array(Type.String()), available: Text }),
)
const CancellationShape = responseSchema(Type.Object({ at: Type.String(), reason: Type.String(), note: Text }))

function parseMark<T>(
  shape: { parse(value: unknown): unknown },
  description: string | null,
  keyword: string,
): T | null {
  const prefix = `${SALES_CHANNEL} ${keyword} `
  if (!description?.startsWith(prefix)) return null
  try {
    return shape.parse(JSON.parse(description.slice(prefix.length))) as T
  } catch {
    // Someone edited it.
    return null
  }
}
