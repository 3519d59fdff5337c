import type { Mode } from '../../tenant.ts'
import type { eventResourceTypes } from './event-types.ts'

/** An event as it is stored and sent; `contract/event-schemas.ts` has the schema of each type. */
export interface EventEnvelope {
  id: string
  type: string
  created_at: string
  api_version: string
  mode: Mode
  tenant_id: string
  resource: { type: (typeof eventResourceTypes)[number]; id: string }
  sequence: number
  data: Record<string, unknown>
}
