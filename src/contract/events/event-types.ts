import Type from 'typebox'
import { checkedLater } from '../schema-parts.ts'

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
  'product.back_in_stock',
  'stock.changed',
] as const
export const EventKind = Type.Enum([...eventKinds], { $id: 'EventType', description: 'Types may be added' })
export type EventKind = (typeof eventKinds)[number]
export const EventId = Type.String({
  pattern: '^evt_[0-9A-Za-z]{22}$',
  'x-pattern-message': 'Input should be the id of an event: evt_ and 22 letters or digits',
})

/** The event types of a subscription: one type, all types of a family, or all types. */
export const eventPatterns = [...eventKinds, 'order.*', 'invoice.*', 'product.*', 'stock.*', '*'] as const
export const EventPattern = Type.Enum([...eventPatterns], {
  $id: 'EventPattern',
  description: 'An event type, all types of a family (order.*), or all types (*)',
  ...checkedLater,
})
const oneType = `\\s*(?:${eventPatterns.map((type) => type.replace(/[.*]/g, '\\$&')).join('|')})?\\s*`
/** Event types separated by commas, in a query. */
export const EventTypeList = Type.String({
  maxLength: 1_024,
  pattern: `^${oneType}(?:,${oneType})*$`,
  ...checkedLater,
})

/** Returns true when a subscription to these patterns receives this kind. */
export function isSubscribedTo(patterns: readonly string[], kind: string): boolean {
  const family = `${kind.slice(0, kind.indexOf('.'))}.*`
  return patterns.some((pattern) => pattern === '*' || pattern === kind || pattern === family)
}

export const PING_EVENT_KIND = 'webhook.ping'
/** The version of the envelope. It changes only when receivers must change too. */
export const EVENT_API_VERSION = '1'

export const eventResourceTypes = ['order', 'invoice', 'product', 'stock', 'webhook'] as const
