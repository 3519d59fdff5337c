import Type, { type Static } from 'typebox'
import { SectionErrors } from './problem.ts'
import { Timestamp } from './schema-parts.ts'

export const eventKinds = [
  'order.confirmed',
  'order.partially_shipped',
  'order.shipped',
  'order.delivered',
  'order.cancelled',
  'order.rejected',
  'invoice.issued',
  'invoice.paid',
  'invoice.overdue',
  'invoice.voided',
  'product.updated',
  'product.deactivated',
  'stock.changed',
] as const
export const EventKind = Type.Enum([...eventKinds])
export type EventKind = (typeof eventKinds)[number]
export const EventId = Type.String({
  pattern: '^evt_[0-9A-Za-z]{22}$',
  'x-pattern-message': 'Input should be the id of an event: evt_ and 22 letters or digits',
})

/** The event types of a subscription: a kind, all kinds of a family, or all. */
export const eventPatterns = [...eventKinds, 'order.*', 'invoice.*', 'product.*', 'stock.*', '*'] as const

/** Returns true when a subscription to these patterns receives this kind. */
export function isSubscribedTo(patterns: readonly string[], kind: string): boolean {
  const family = `${kind.slice(0, kind.indexOf('.'))}.*`
  return patterns.some((pattern) => pattern === '*' || pattern === kind || pattern === family)
}

export const PING_EVENT_KIND = 'webhook.ping'
/** The version of the envelope. It changes only when receivers must change too. */
export const EVENT_API_VERSION = '1'

export const EventEnvelope = Type.Object(
  {
    id: Type.String({ description: 'Identifies the event, for deduplication' }),
    type: Type.String(),
    created_at: Timestamp,
    api_version: Type.String(),
    mode: Type.Enum(['live', 'sandbox']),
    tenant_id: Type.String(),
    resource: Type.Object({ type: Type.Enum(['order', 'invoice', 'product', 'stock', 'webhook']), id: Type.String() }),
    sequence: Type.Integer({ description: 'Increases by one with each event of the resource; 0 in a ping' }),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Depends on the kind; never a stock count',
    }),
  },
  { $id: 'Event' },
)
export type EventEnvelope = Static<typeof EventEnvelope>

export const EventList = Type.Object(
  {
    data: Type.Array(EventEnvelope),
    has_more: Type.Boolean({
      description: 'True: read the next page now, even if this one is empty; false: poll again later',
    }),
    next_since: Type.String({
      description: 'For the next call: an opaque position in the list. No event is listed twice, and none is left out',
    }),
    errors: SectionErrors,
  },
  { $id: 'EventList' },
)
