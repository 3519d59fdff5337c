import type { Database } from '../database.ts'
import type { IncidentRow } from './open-incidents.ts'

export interface LaterIncidentQuery
  extends Pick<IncidentRow, 'incident_id' | 'tenant_id' | 'mode' | 'system' | 'section'> {
  /** An instant (RFC 3339): only incidents that began after it, and open ones with a degraded response after it. */
  after: string
  /** The ids of other incidents of the same outage: only an open one counts. */
  related: readonly string[]
}

/** Returns another incident of the same system, or of the same section if that belongs to no system: an open one, or else the next. */
export async function findLaterIncidentRow(db: Database, query: LaterIncidentQuery): Promise<IncidentRow | null> {
  const { incident_id, tenant_id, mode, system, section, after, related } = query
  let later = db
    .selectFrom('incidents')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('mode', '=', mode)
    .where('system', '=', system)
    .where('incident_id', '!=', incident_id)
    .where('last_at', '>', after)
    .orderBy('last_at')
    .orderBy('incident_id')
    .limit(1)
  if (system === '') later = later.where('section', '=', section)
  const open = await later.where('ended_at', 'is', null).executeTakeFirst()
  if (open) return open
  if (related.length > 0) later = later.where('incident_id', 'not in', related)
  return (await later.where('began_at', '>', after).executeTakeFirst()) ?? null
}
