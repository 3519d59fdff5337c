import Type, { type Static } from 'typebox'
import { Nullable, Pagination, SectionErrors, Timestamp } from './common-schemas.ts'

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
export const EventId = Type.String({ pattern: '^evt_[0-9A-Za-z]{22}$' })

/** What a subscription may name: a kind, all kinds of a family, or everything. */
export const eventPatterns = [...eventKinds, 'order.*', 'invoice.*', 'product.*', 'stock.*', '*'] as const

/** Whether a subscription to these patterns is told of this kind. */
export function isSubscribedTo(patterns: readonly string[], kind: string): boolean {
  const family = `${kind.slice(0, kind.indexOf('.'))}.*`
  return patterns.some((pattern) => pattern === '*' || pattern === kind || pattern === family)
}

export const PING_EVENT_KIND = 'webhook.ping'
/** Of the envelope: it changes when a receiver would have to. */
export const EVENT_API_VERSION = '1'
export const MAX_SUBSCRIPTIONS = 20

export const EventEnvelope = Type.Object(
  {
    id: Type.String({ description: 'The key to drop duplicates by' }),
    type: Type.String(),
    created_at: Timestamp,
    api_version: Type.String(),
    mode: Type.Enum(['live', 'sandbox']),
    tenant_id: Type.String(),
    resource: Type.Object({ type: Type.Enum(['order', 'invoice', 'product', 'stock', 'webhook']), id: Type.String() }),
    sequence: Type.Integer({ description: 'Rises by one with each event of the resource; 0 in a ping' }),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'By kind; never a stock count',
    }),
  },
  { $id: 'Event' },
)
export type EventEnvelope = Static<typeof EventEnvelope>

const EndpointUrl = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: 'https, on port 443, to a public address; kept as URLs are normalised',
})
const EventTypes = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: 50,
  description: 'Kinds (order.shipped), families (order.*) or *',
})
/** A store cannot hold NUL. */
const Description = Nullable(
  Type.String({ maxLength: 256, pattern: '^[^\\u0000]*$', description: 'For people; empty: none' }),
)

const subscription = {
  subscription_id: Type.String(),
  endpoint_url: Type.String(),
  event_types: Type.Array(Type.String()),
  description: Nullable(Type.String()),
  status: Type.Enum(['ACTIVE', 'FAILING', 'DISABLED']),
  disabled_reason: Nullable(Type.Enum(['MANUAL', 'CONSECUTIVE_FAILURES', 'GONE'])),
  disabled_at: Nullable(Timestamp),
  secret_hint: Type.String({ description: 'Its last four characters' }),
  previous_secret_expires_at: Nullable(Timestamp),
  consecutive_failures: Type.Integer({ minimum: 0, description: 'Attempts that failed since the last success' }),
  last_delivery_at: Nullable(Timestamp),
  last_success_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Subscription = Type.Object(subscription, { $id: 'Subscription' })
export type Subscription = Static<typeof Subscription>

export const SubscriptionWithSecret = Type.Object(
  {
    ...subscription,
    signing_secret: Type.String({ description: 'Shown in this answer alone: whsec_ and base64 of 32 bytes' }),
  },
  { $id: 'SubscriptionWithSecret' },
)

export const SubscriptionList = Type.Array(Subscription)

export const WebhookSubscriptionCreate = Type.Object(
  { endpoint_url: EndpointUrl, event_types: EventTypes, description: Type.Optional(Description) },
  { $id: 'WebhookSubscriptionCreate' },
)

export const WebhookSubscriptionUpdate = Type.Object(
  {
    endpoint_url: Type.Optional(EndpointUrl),
    event_types: Type.Optional(EventTypes),
    description: Type.Optional(Description),
    status: Type.Optional(Type.Enum(['ACTIVE', 'DISABLED'])),
  },
  { $id: 'WebhookSubscriptionUpdate' },
)

export const DEFAULT_SECRET_GRACE_SECONDS = 86_400

export const RotateSecretIn = Type.Object(
  {
    grace_period_seconds: Type.Integer({
      minimum: 0,
      maximum: 604_800,
      default: DEFAULT_SECRET_GRACE_SECONDS,
      description: 'For how long the secret before signs too',
    }),
  },
  { $id: 'RotateSecretIn' },
)

export const WebhookPing = Type.Object(
  {
    delivery_id: Type.String(),
    event_id: Type.String(),
    event: Type.Literal(PING_EVENT_KIND),
    delivered: Type.Boolean(),
    response_status: Nullable(Type.Integer()),
    duration_ms: Type.Integer({ minimum: 0 }),
    error: Nullable(Type.String({ description: 'A code: timeout, refused, dns, tls, reset, url_not_allowed …' })),
  },
  { $id: 'WebhookPing' },
)
export type WebhookPing = Static<typeof WebhookPing>

export const DeliveryAttempt = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    at: Timestamp,
    duration_ms: Type.Integer({ minimum: 0 }),
    response_status: Nullable(Type.Integer()),
    error: Nullable(Type.String()),
    response_excerpt: Nullable(Type.String({ description: 'The first KiB of what the endpoint answered' })),
  },
  { $id: 'DeliveryAttempt' },
)
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'EXHAUSTED', 'SUPERSEDED', 'CANCELLED'] as const
export const DeliveryStatus = Type.Enum([...deliveryStatuses])

const delivery = {
  delivery_id: Type.String(),
  subscription_id: Type.String(),
  event_id: Type.String(),
  event_type: Type.String(),
  status: DeliveryStatus,
  cause: Type.Enum(['EVENT', 'REDELIVERY', 'RECOVERY']),
  attempt_count: Type.Integer({ minimum: 0 }),
  next_attempt_at: Nullable(Timestamp),
  response_status: Nullable(Type.Integer({ description: 'Of the last attempt' })),
  created_at: Timestamp,
  ended_at: Nullable(Timestamp),
}

export const Delivery = Type.Object(delivery, { $id: 'Delivery' })
export type Delivery = Static<typeof Delivery>

export const DeliveryDetail = Type.Object(
  { ...delivery, payload: Nullable(EventEnvelope), attempts: Type.Array(DeliveryAttempt) },
  { $id: 'DeliveryDetail' },
)
export type DeliveryDetail = Static<typeof DeliveryDetail>

export const DeliveryList = Type.Object(
  { data: Type.Array(Delivery), pagination: Pagination, errors: SectionErrors },
  { $id: 'DeliveryList' },
)

export const RecoverIn = Type.Object(
  {
    since: Type.String({ format: 'date-time' }),
    until: Type.Optional(Type.String({ format: 'date-time', description: 'Now, when it is not said' })),
  },
  { $id: 'RecoverIn' },
)

export const WebhookRecovery = Type.Object(
  { scheduled: Type.Integer({ minimum: 0, description: 'Deliveries made anew' }), has_more: Type.Boolean() },
  { $id: 'WebhookRecovery' },
)

export const EventList = Type.Object(
  {
    data: Type.Array(EventEnvelope),
    has_more: Type.Boolean({ description: 'Read on at once; otherwise come back after a while' }),
    next_since: Type.String({
      description:
        'For the next call: an event id, or an instant. The last seconds are read again, since events of theirs may still come: drop by id what was seen',
    }),
    errors: SectionErrors,
  },
  { $id: 'EventList' },
)
