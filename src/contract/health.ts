import Type, { type Static } from 'typebox'
import { Timestamp } from './scalars.ts'

const Status = Type.Enum(['ok', 'degraded', 'down'])
const Check = Type.Object({ status: Status })

export const Health = Type.Object(
  {
    status: Status,
    version: Type.String(),
    time: Timestamp,
    uptime_seconds: Type.Integer(),
    checks: Type.Object({
      store: Check,
      upstreams: Check,
      webhooks: Type.Object({ status: Status, backlog: Type.Integer({ minimum: 0 }) }),
    }),
  },
  { $id: 'Health' },
)
export type Health = Static<typeof Health>
