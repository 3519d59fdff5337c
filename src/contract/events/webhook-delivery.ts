import Type, { type Static } from 'typebox'
import { Pagination } from '../pagination.ts'
import { Nullable, RequestTime, Timestamp } from '../schema-parts.ts'
import { SectionErrors } from '../section-error-entry.ts'
import { EventSchema } from './event-schemas.ts'
import { EventKind } from './event-types.ts'

/** Why an attempt got no usable response, without anything that the endpoint sent. */
export const attemptErrors = {
  timeout: 'no response in time',
  refused: 'the connection was refused, or the host cannot be reached',
  dns: 'the host name cannot be resolved',
  tls: 'the certificate is not valid for the host, or TLS failed',
  reset: 'the connection ended before the response',
  url_not_allowed: 'the host resolves to an address that is not allowed',
  invalid_response: 'the response is not valid HTTP',
  secret_unreadable: 'Forecourt cannot decrypt the signing secret: rotate it',
} as const

export type AttemptErrorCode = keyof typeof attemptErrors

/** `null` when the endpoint responded, with whatever status. */
export const AttemptError = Nullable(
  Type.String({
    description: `Null if the endpoint responded, with any status. Otherwise ${Object.entries(attemptErrors)
      .map(([code, meaning]) => `${code} (${meaning})`)
      .join(', ')}. Codes may be added`,
  }),
)

export const DeliveryAttempt = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    at: Timestamp,
    duration_ms: Type.Integer({ minimum: 0 }),
    response_status: Nullable(Type.Integer()),
    error: AttemptError,
    response_excerpt: Nullable(Type.String({ description: 'The first KiB of the endpoint’s response' })),
  },
  { $id: 'DeliveryAttempt' },
)
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'EXHAUSTED', 'SUPERSEDED', 'CANCELLED'] as const
export const DeliveryStatus = Type.Enum([...deliveryStatuses], { $id: 'DeliveryStatus' })

const delivery = {
  delivery_id: Type.String(),
  subscription_id: Type.String(),
  event_id: Type.String(),
  event_type: EventKind,
  status: DeliveryStatus,
  cause: Type.Enum(['EVENT', 'REDELIVERY', 'RECOVERY'], { $id: 'DeliveryCause' }),
  attempt_count: Type.Integer({ minimum: 0 }),
  next_attempt_at: Nullable(Timestamp),
  response_status: Nullable(Type.Integer({ description: 'From the last attempt' })),
  created_at: Timestamp,
  ended_at: Nullable(Timestamp),
}

export const Delivery = Type.Object(delivery, { $id: 'Delivery' })
export type Delivery = Static<typeof Delivery>

export const DeliveryDetail = Type.Object(
  { ...delivery, payload: Nullable(EventSchema), attempts: Type.Array(DeliveryAttempt) },
  { $id: 'DeliveryDetail' },
)
export type DeliveryDetail = Static<typeof DeliveryDetail>

export const DeliveryList = Type.Object(
  { data: Type.Array(Delivery), pagination: Pagination, errors: SectionErrors },
  { $id: 'DeliveryList' },
)

export const RecoverIn = Type.Object(
  {
    since: RequestTime('The earliest time of the events, inclusive'),
    until: Type.Optional(RequestTime('Now by default')),
  },
  { $id: 'RecoverIn' },
)

export const WebhookRecovery = Type.Object(
  {
    scheduled: Type.Integer({ minimum: 0, description: 'New deliveries' }),
    brought_forward: Type.Integer({
      minimum: 0,
      description: 'Deliveries that waited for their next attempt and are now due soon',
    }),
    has_more: Type.Boolean({ description: 'True: call again for the rest' }),
  },
  { $id: 'WebhookRecovery' },
)
