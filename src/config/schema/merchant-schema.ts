import Type, { type Static } from 'typebox'
import { Mailbox } from './address-formats.ts'
import { ContactBlock } from './contact-schema.ts'
import type { MirrorBlock } from './mirror-schema.ts'
import { SystemsBlock } from './system-schema.ts'

const PageUrl = Type.String({ pattern: '^https?://[^\\s/]+' })

const MerchantMailBlock = Type.Object(
  {
    from: Type.Optional(Mailbox),
    verify_url: Type.Optional(PageUrl),
    reset_url: Type.Optional(PageUrl),
    alerts: Type.Optional(Mailbox),
  },
  { additionalProperties: false },
)

export const MERCHANT_ID_PATTERN = /^[a-z0-9][a-z0-9_-]{0,62}$/

export const MerchantBlock = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    time_zone: Type.String({ minLength: 1 }),
    bands: Type.Optional(
      Type.Object(
        { low: Type.Optional(Type.Number({ minimum: 0 })), hysteresis: Type.Optional(Type.Number({ minimum: 0 })) },
        { additionalProperties: false },
      ),
    ),
    max_age_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 300 })),
    registration: Type.Optional(Type.Enum(['verified', 'immediate'])),
    mail: Type.Optional(MerchantMailBlock),
    // One of two shapes: find-mirror-mistakes.ts checks it, so that the mistakes are those of the shape that was meant.
    mirror: Type.Optional(Type.Unsafe<'off' | MirrorBlock>({})),
    hook_secret: Type.Optional(Type.String({ minLength: 16, maxLength: 256 })),
    contact: Type.Optional(ContactBlock),
    live: Type.Optional(SystemsBlock),
    sandbox: Type.Optional(SystemsBlock),
  },
  { additionalProperties: false },
)

export type MerchantMailBlock = Static<typeof MerchantMailBlock>
export type MerchantBlock = Static<typeof MerchantBlock>
