import type { Database } from '../../storage/database.ts'
import { findLaterIncidentRow } from '../../storage/diagnostics/find-later-incident.ts'
import { type Incident, toIncident } from './incidents.ts'

/** Returns an incident of the same system with a degraded response after an instant (milliseconds since the epoch): an open one, or else the next. */
export async function findLaterIncident(
  db: Database,
  { incidentId, tenant, mode, system, section }: Incident,
  after: number,
): Promise<Incident | null> {
  const query = { incident_id: incidentId, tenant_id: tenant, mode, system, section }
  const row = await findLaterIncidentRow(db, { ...query, after: new Date(after).toISOString() })
  return row && toIncident(row)
}
