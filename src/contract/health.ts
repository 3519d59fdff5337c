import Type, { type Static } from 'typebox'
import { Timestamp } from './schema-parts.ts'

const Status = Type.Enum(['ok', 'degraded', 'down'], { $id: 'HealthStatus' })
const UpstreamsCheck = Type.Object(
  {
    status: Status,
    reason: Type.Optional(
      Type.String({
        description: 'Why the status is not ok, in a sentence.',
        examples: ['A system rejects every call.'],
      }),
    ),
  },
  { $id: 'HealthCheck' },
)
const StoreCheck = Type.Object(
  {
    status: Status,
    id: Type.Optional(
      Type.String({ description: 'An opaque id of the store. Servers with the same id share a store.' }),
    ),
  },
  { $id: 'StoreHealthCheck' },
)
const WebhookCheck = Type.Object(
  { status: Status, backlog: Type.Integer({ minimum: 0 }) },
  { $id: 'WebhookHealthCheck' },
)

export const Health = Type.Object(
  {
    status: Status,
    version: Type.String(),
    time: Timestamp,
    uptime_seconds: Type.Integer(),
    checks: Type.Object(
      { store: StoreCheck, upstreams: UpstreamsCheck, webhooks: WebhookCheck },
      { $id: 'HealthChecks' },
    ),
  },
  { $id: 'Health' },
)
export type Health = Static<typeof Health>
