import Type, { type Static } from 'typebox'

const Milliseconds = Type.Integer({ minimum: 10, maximum: 60_000 })

const LimitsBlock = Type.Object(
  {
    timeout_ms: Type.Optional(Milliseconds),
    concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    search_concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    per_minute: Type.Optional(Type.Integer({ minimum: 10, maximum: 1_000_000 })),
    queue: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    max_response_mib: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
  },
  { additionalProperties: false },
)

/** Whom support staff call. */
export const ContactBlock = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    phone: Type.Optional(Type.String({ pattern: '^[+0-9][0-9 ()./-]{2,39}$' })),
    url: Type.Optional(Type.String({ pattern: '^https?://[^\\s@]+$', maxLength: 300 })),
  },
  { additionalProperties: false },
)

/** No login, because the address is shown to people; no query, because adapters append paths. */
export const BASE_ADDRESS_PATTERN = '^https?://[^\\s/?#@]+(/[^\\s?#@]*)?$'

/** The block of one system. It also holds the adapter's own settings, which the adapter's schema validates. */
export const SystemBlock = Type.Object({
  adapter: Type.String({ minLength: 1 }),
  address: Type.String({ pattern: BASE_ADDRESS_PATTERN }),
  limits: Type.Optional(LimitsBlock),
  contact: Type.Optional(ContactBlock),
})

export const SystemsBlock = Type.Object(
  {
    inventory: Type.Optional(SystemBlock),
    pricing: Type.Optional(SystemBlock),
    accounting: Type.Optional(SystemBlock),
    // One of two shapes: find-system-mistakes.ts checks it, so that the mistakes are those of the shape that was meant.
    fitment: Type.Optional(Type.Unsafe<'imported' | Static<typeof SystemBlock>>({})),
  },
  { additionalProperties: false },
)

/** The value of a mail header: one line with one address. */
export const Mailbox = Type.String({ pattern: '^[^\\r\\n@]+@[^\\r\\n@]+$', maxLength: 320 })
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

const BoostedValue = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))

/** Boosts the products of one brand, category or tag; find-mirror-mistakes.ts checks that there is one. */
const BoostBlock = Type.Object(
  {
    brand: BoostedValue,
    category: BoostedValue,
    tag: BoostedValue,
    boost: Type.Integer({ minimum: -10, maximum: 10 }),
  },
  { additionalProperties: false },
)

/** Words and phrases that mean the same. */
const SynonymGroup = Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { minItems: 2, maxItems: 8 })

/** The block of a merchant whose mirror is on. */
export const MirrorBlock = Type.Object(
  {
    max_age_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
    boosts: Type.Optional(Type.Array(BoostBlock, { maxItems: 50 })),
    synonyms: Type.Optional(Type.Array(SynonymGroup, { maxItems: 200 })),
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

export type BoostBlock = Static<typeof BoostBlock>
export type MirrorBlock = Static<typeof MirrorBlock>
export type MerchantMailBlock = Static<typeof MerchantMailBlock>
export type ContactBlock = Static<typeof ContactBlock>
export type MerchantBlock = Static<typeof MerchantBlock>
export type SystemBlock = Static<typeof SystemBlock>
export type SystemsBlock = Static<typeof SystemsBlock>
