import Type, { type Static } from 'typebox'
import { checkedLater, Nullable, Timestamp } from '../schema-parts.ts'
import { EventPattern, PING_EVENT_KIND } from './event-types.ts'
import { AttemptError } from './webhook-delivery.ts'

export const MAX_SUBSCRIPTIONS = 20

const EndpointUrl = Type.String({
  format: 'uri',
  minLength: 1,
  maxLength: 2_048,
  description: 'https, on port 443, to a public address; stored as a normalized URL',
  ...checkedLater,
})
const EventTypes = Type.Array(EventPattern, {
  minItems: 1,
  maxItems: 50,
  description: 'Kinds (order.shipped), families (order.*) or *',
})
/** PostgreSQL text cannot contain NUL. Written as \x00, because a generator of Zod schemas turns \u0000 into the character itself. */
const Description = Nullable(
  Type.String({
    maxLength: 256,
    pattern: '^[^\\x00]*$',
    'x-pattern-message': 'Input should not contain the character U+0000',
    description: 'For people; an empty text means none',
  }),
)

const subscription = {
  subscription_id: Type.String(),
  endpoint_url: Type.String({ format: 'uri' }),
  event_types: Type.Array(Type.String()),
  description: Nullable(Type.String()),
  status: Type.Enum(['ACTIVE', 'FAILING', 'DISABLED'], { $id: 'SubscriptionStatus' }),
  disabled_reason: Nullable(Type.Enum(['MANUAL', 'CONSECUTIVE_FAILURES', 'GONE'], { $id: 'DisabledReason' })),
  disabled_at: Nullable(Timestamp),
  secret_hint: Type.String({ description: 'The last four characters of the signing secret' }),
  previous_secret_expires_at: Nullable(Timestamp),
  consecutive_failures: Type.Integer({ minimum: 0, description: 'Failed attempts since the last success' }),
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
    signing_secret: Type.String({ description: 'Only in this response: whsec_ and 32 bytes in base64' }),
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
    status: Type.Optional(Type.Enum(['ACTIVE', 'DISABLED'], { $id: 'SubscriptionSwitch' })),
  },
  { $id: 'WebhookSubscriptionUpdate', minProperties: 1 },
)

export const DEFAULT_SECRET_GRACE_SECONDS = 86_400

export const RotateSecretIn = Type.Object(
  {
    grace_period_seconds: Type.Integer({
      minimum: 0,
      maximum: 604_800,
      default: DEFAULT_SECRET_GRACE_SECONDS,
      // `false` would end the previous secret at once.
      'x-strict': true,
      description: 'How long the previous secret also signs',
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
    error: AttemptError,
  },
  { $id: 'WebhookPing' },
)
export type WebhookPing = Static<typeof WebhookPing>
