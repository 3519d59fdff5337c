import Type, { type Static } from 'typebox'
import { Mailbox } from './address-formats.ts'

const TimeOfDay = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })

const QuietHoursBlock = Type.Object(
  { from: TimeOfDay, to: TimeOfDay, time_zone: Type.String({ minLength: 1 }) },
  { additionalProperties: false },
)

const WebhookTargetBlock = Type.Object(
  {
    url: Type.String({ pattern: '^https?://[^\\s/]+', maxLength: 2_000 }),
    /** In the format of Standard Webhooks. */
    secret: Type.String({ pattern: '^whsec_[A-Za-z0-9+/]{32,88}={0,2}$' }),
  },
  { additionalProperties: false },
)

/** Who is notified of outages: one mailbox or one webhook; find-notification-mistakes.ts checks that there is one. */
const NotificationBlock = Type.Object(
  {
    mail: Type.Optional(Mailbox),
    webhook: Type.Optional(WebhookTargetBlock),
    merchants: Type.Optional(Type.Array(Type.String({ maxLength: 63 }), { minItems: 1, maxItems: 1_000 })),
    systems: Type.Optional(
      Type.Array(Type.Enum(['inventory', 'pricing', 'accounting', 'fitment', 'references', 'store']), { minItems: 1 }),
    ),
    after_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600 })),
    quiet_hours: Type.Optional(QuietHoursBlock),
  },
  { additionalProperties: false },
)

export const NotificationsBlock = Type.Array(NotificationBlock, { maxItems: 50 })

export type NotificationBlock = Static<typeof NotificationBlock>
