import Type, { type Static } from 'typebox'
import type { WorkersSetting } from '../conversion/worker-count.ts'
import { BASE_ADDRESS_PATTERN, Mailbox } from './address-formats.ts'
import { ContactBlock } from './contact-schema.ts'
import { MerchantBlock } from './merchant-schema.ts'
import { NotificationsBlock } from './notification-schema.ts'

/** Hosts, each with or without a port. */
const PrivateHosts = Type.Array(Type.String({ pattern: '^[^\\s/:@*]+(:\\d{1,5})?$', maxLength: 300 }), {
  maxItems: 100,
})

/** 32 bytes in base64. */
const EncryptionKey = Type.String({ pattern: '^[A-Za-z0-9+/]{43}=?$' })

const OperationsBlock = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    host: Type.Optional(Type.String({ minLength: 1 })),
    port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
    metrics: Type.Optional(Type.Boolean()),
    url: Type.Optional(Type.String({ pattern: '^https?://[^\\s/?#@]+$', maxLength: 300 })),
    contact: Type.Optional(ContactBlock),
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
          tls: Type.Optional(
            Type.Object(
              { cert: Type.String({ minLength: 1 }), key: Type.String({ minLength: 1 }) },
              { additionalProperties: false },
            ),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    // find-worker-mistakes.ts checks this setting, because the errors of a union would not be clear.
    workers: Type.Optional(Type.Unsafe<WorkersSetting>({})),
    trusted_proxies: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 100 })),
    metrics: Type.Optional(
      Type.Object(
        { host: Type.Optional(Type.String({ minLength: 1 })), port: Type.Integer({ minimum: 0, maximum: 65_535 }) },
        { additionalProperties: false },
      ),
    ),
    operations: Type.Optional(OperationsBlock),
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
          level_names: Type.Optional(Type.Boolean()),
          rfc3339: Type.Optional(Type.Boolean()),
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
          key: Type.Optional(EncryptionKey),
          previous_keys: Type.Optional(Type.Array(EncryptionKey, { maxItems: 8 })),
          ports: Type.Optional(
            Type.Array(Type.Integer({ minimum: 1, maximum: 65_535 }), { minItems: 1, maxItems: 32 }),
          ),
          allow: Type.Optional(PrivateHosts),
        },
        { additionalProperties: false },
      ),
    ),
    orders: Type.Optional(
      Type.Object(
        { archive_after_days: Type.Optional(Type.Integer({ minimum: 8, maximum: 36_500 })) },
        { additionalProperties: false },
      ),
    ),
    public_url: Type.Optional(Type.String({ pattern: BASE_ADDRESS_PATTERN, maxLength: 300 })),
    media: Type.Optional(
      Type.Object(
        {
          max_mib: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_048_576 })),
          allow: Type.Optional(PrivateHosts),
        },
        { additionalProperties: false },
      ),
    ),
    notifications: Type.Optional(NotificationsBlock),
    embedded_sandbox: Type.Optional(Type.Boolean()),
    feed: Type.Optional(
      Type.Object(
        { interval_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600 })) },
        { additionalProperties: false },
      ),
    ),
    // find-config-mistakes.ts checks the ids, so that a merchant with a wrong id is checked like any other.
    merchants: Type.Record(Type.String(), MerchantBlock, { minProperties: 1 }),
  },
  { additionalProperties: false },
)

export type ConfigFile = Static<typeof ConfigFile>
export type OperationsBlock = Static<typeof OperationsBlock>
