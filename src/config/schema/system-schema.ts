import Type, { type Static } from 'typebox'
import { BASE_ADDRESS_PATTERN } from './address-formats.ts'
import { ContactBlock } from './contact-schema.ts'

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

export type SystemBlock = Static<typeof SystemBlock>
export type SystemsBlock = Static<typeof SystemsBlock>
