import type { Database } from '../../storage/database.ts'
import { findLaterIncidentRow } from '../../storage/diagnostics/find-later-incident.ts'
import type { IncidentDetail } from './incident-detail.ts'
import { type Incident, toIncident } from './incidents.ts'
import { listOutageRows } from './outage-incidents.ts'

/** Returns an incident of the same system after an instant (milliseconds since the epoch): an open one, or else the first one of the next outage. */
export async function findLaterIncident(
  db: Database,
  { incidentId, tenant, mode, system, section, related }: IncidentDetail,
  after: number,
): Promise<Incident | null> {
  const ids = related.map((other) => other.incidentId)
  const query = { incident_id: incidentId, tenant_id: tenant, mode, system, section, related: ids }
  const row = await findLaterIncidentRow(db, { ...query, after: new Date(after).toISOString() })
  if (!row) return null
  const found = toIncident(row)
  if (found.endedAt === null || system === '') return found
  const outage = (await listOutageRows(db, [found])).map(toIncident)
  return outage.reduce((first, other) => (other.beganAt < first.beganAt ? other : first), found)
}
