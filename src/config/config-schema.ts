import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'

/** From a request's arrival to its answer. */
export const DEFAULT_DEADLINE_MS = 1_500

/** How long what is under way may take once the program is told to stop. */
export const DEFAULT_FINISH_S = 10

/** Of pictures on disk. */
export const DEFAULT_MEDIA_MIB = 1_024

const Milliseconds = Type.Integer({ minimum: 10, maximum: 60_000 })

const LimitsFile = Type.Object(
  {
    timeout_ms: Type.Optional(Milliseconds),
    concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    queue: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    max_response_mib: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
  },
  { additionalProperties: false },
)

/** Nobody is told a login that stands in it, and what an adapter asks for is put behind it. */
const BASE_ADDRESS = '^https?://[^\\s/?#@]+(/[^\\s?#@]*)?$'

/** The adapter's own settings stand beside these and are judged by the adapter's schema. */
export const SystemFile = Type.Object({
  adapter: Type.String({ minLength: 1 }),
  address: Type.String({ pattern: BASE_ADDRESS }),
  limits: Type.Optional(LimitsFile),
})

export const SystemsFile = Type.Object(
  {
    inventory: Type.Optional(SystemFile),
    pricing: Type.Optional(SystemFile),
    accounting: Type.Optional(SystemFile),
    // One of two shapes: config-file.ts judges it, so that its mistakes are those of the one that was meant.
    fitment: Type.Optional(Type.Unsafe<'imported' | Static<typeof SystemFile>>({})),
  },
  { additionalProperties: false },
)

/** Into a mail's header: one line, with one address in it. */
const Mailbox = Type.String({ pattern: '^[^\\r\\n@]+@[^\\r\\n@]+$', maxLength: 320 })
const Page = Type.String({ pattern: '^https?://[^\\s/]+' })

/** Each with a port or without. */
const PrivateHosts = Type.Array(Type.String({ pattern: '^[^\\s/:@]+(:\\d{1,5})?$', maxLength: 300 }), { maxItems: 100 })

/** 32 bytes in base64. */
const SealingKey = Type.String({ pattern: '^[A-Za-z0-9+/]{43}=?$' })

const MerchantMailFile = Type.Object(
  {
    from: Type.Optional(Mailbox),
    verify_url: Type.Optional(Page),
    reset_url: Type.Optional(Page),
    alerts: Type.Optional(Mailbox),
  },
  { additionalProperties: false },
)

const MerchantFile = Type.Object(
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
    registration: Type.Optional(Type.Enum(['verified', 'immediate'])),
    mail: Type.Optional(MerchantMailFile),
    hook_secret: Type.Optional(Type.String({ minLength: 16, maxLength: 256 })),
    live: Type.Optional(SystemsFile),
    sandbox: Type.Optional(SystemsFile),
  },
  { additionalProperties: false },
)

const OperationsFile = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    host: Type.Optional(Type.String({ minLength: 1 })),
    port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
    metrics: Type.Optional(Type.Boolean()),
    url: Type.Optional(Type.String({ pattern: '^https?://[^\\s/?#@]+$', maxLength: 300 })),
  },
  { additionalProperties: false },
)

export const ConfigFile = Type.Object(
  {
    listen: Type.Optional(
      Type.Object(
        {
          host: Type.Optional(Type.String({ minLength: 1 })),
          port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
        },
        { additionalProperties: false },
      ),
    ),
    metrics: Type.Optional(
      Type.Object(
        { host: Type.Optional(Type.String({ minLength: 1 })), port: Type.Integer({ minimum: 0, maximum: 65_535 }) },
        { additionalProperties: false },
      ),
    ),
    operations: Type.Optional(OperationsFile),
    tracing: Type.Optional(
      Type.Object(
        {
          endpoint: Type.String({ pattern: '^https?://[^\\s]+$' }),
          sample: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
          headers: Type.Optional(
            Type.Record(Type.String({ pattern: '^[A-Za-z0-9-]+$' }), Type.String({ pattern: '^[\\x20-\\x7e]*$' })),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    drain: Type.Optional(
      Type.Object(
        {
          delay_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 300 })),
          finish_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 300 })),
        },
        { additionalProperties: false },
      ),
    ),
    data: Type.Optional(Type.String({ minLength: 1 })),
    store: Type.Optional(Type.String({ pattern: '^(sqlite:|postgres(ql)?://).+' })),
    log: Type.Optional(
      Type.Object(
        {
          file: Type.Optional(Type.String({ minLength: 1 })),
          level: Type.Optional(Type.Enum(['trace', 'debug', 'info', 'warn', 'error'])),
        },
        { additionalProperties: false },
      ),
    ),
    mail: Type.Optional(
      Type.Object(
        { url: Type.String({ pattern: '^(log:$|smtps?://[^\\s/]+)' }), from: Mailbox },
        { additionalProperties: false },
      ),
    ),
    cache: Type.Optional(
      Type.Object(
        { max_mib: Type.Optional(Type.Integer({ minimum: 8, maximum: 65_536 })) },
        { additionalProperties: false },
      ),
    ),
    deadline_ms: Type.Optional(Type.Integer({ minimum: 200, maximum: 60_000 })),
    webhooks: Type.Optional(
      Type.Object(
        {
          key: Type.Optional(SealingKey),
          previous_keys: Type.Optional(Type.Array(SealingKey, { maxItems: 8 })),
          ports: Type.Optional(
            Type.Array(Type.Integer({ minimum: 1, maximum: 65_535 }), { minItems: 1, maxItems: 32 }),
          ),
          allow: Type.Optional(PrivateHosts),
        },
        { additionalProperties: false },
      ),
    ),
    public_url: Type.Optional(Type.String({ pattern: BASE_ADDRESS, maxLength: 300 })),
    media: Type.Optional(
      Type.Object(
        {
          max_mib: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_048_576 })),
          allow: Type.Optional(PrivateHosts),
        },
        { additionalProperties: false },
      ),
    ),
    feed: Type.Optional(
      Type.Object(
        { interval_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600 })) },
        { additionalProperties: false },
      ),
    ),
    merchants: Type.Record(Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,62}$' }), MerchantFile, {
      minProperties: 1,
      additionalProperties: false,
    }),
  },
  { additionalProperties: false },
)

export type ConfigFile = Static<typeof ConfigFile>
export type OperationsFile = Static<typeof OperationsFile>
export type MerchantMailFile = Static<typeof MerchantMailFile>
export type SystemFile = Static<typeof SystemFile>
export type SystemsFile = Static<typeof SystemsFile>

const MAX_MISFITS = 200

/** Where a value has not the shape, and how: more of it than the library tells by itself. */
export function findSchemaErrors(schema: TSchema, value: unknown) {
  const { maxErrors } = Settings.Get()
  Settings.Set({ maxErrors: MAX_MISFITS })
  const errors = Compile(schema).Errors(value)
  Settings.Set({ maxErrors })
  return errors.filter((error) => error.keyword !== 'boolean')
}
