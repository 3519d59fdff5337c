import Type, { type Static } from 'typebox'
import { Timestamp } from './schema-parts.ts'

const Status = Type.Enum(['ok', 'degraded', 'down'])
const Check = Type.Object({ status: Status })

export const Health = Type.Object(
  {
    status: Status,
    version: Type.String(),
    time: Timestamp,
    uptime_seconds: Type.Integer(),
    checks: Type.Object({
      store: Type.Object({
        status: Status,
        id: Type.Optional(
          Type.String({ description: 'An opaque id of the store. Servers with the same id share a store.' }),
        ),
      }),
      upstreams: Check,
      webhooks: Type.Object({ status: Status, backlog: Type.Integer({ minimum: 0 }) }),
    }),
  },
  { $id: 'Health' },
)
export type Health = Static<typeof Health>
