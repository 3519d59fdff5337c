import type { Database } from '../../storage/database.ts'
import { listIncidentRows } from '../../storage/diagnostics/incident-queries.ts'
import type { IncidentRow } from '../../storage/diagnostics/open-incidents.ts'
import { type Incident, toIncident } from './incidents.ts'
import { groupOutages, type Outage, openUntil } from './outages.ts'

const MAX_INCIDENTS = 30
/** Each needs queries of its own. */
const MAX_COMPLETED = 10

/** Returns all incidents of the outage of these ones, the latest first. Each that is found may overlap with more. */
export async function listOutageRows(db: Database, known: readonly Incident[]): Promise<IncidentRow[]> {
  const { tenant: merchant, mode, system, incidentId } = known[0]!
  const from = new Date(Math.min(...known.map(({ beganAt }) => beganAt))).toISOString()
  const openDuring = { from, to: toText(Math.max(...known.map(openUntil))) }
  const rows = await listIncidentRows(db, { merchant, mode, system, openDuring, limit: MAX_INCIDENTS })
  const found = pickOutage(rows, incidentId)
  const isComplete = found.length <= known.length || rows.length === MAX_INCIDENTS
  return isComplete ? found : listOutageRows(db, found.map(toIncident))
}

/** The query finds a few that are of another outage: those before which the system responded again. */
function pickOutage(rows: readonly IncidentRow[], incidentId: string): IncidentRow[] {
  const outages = groupOutages(rows.map(toIncident)).map(({ incidents }) => incidents.map((one) => one.incidentId))
  // An old incident of many is not among the latest.
  const ids = outages.find((one) => one.includes(incidentId))
  return ids === undefined ? [...rows] : rows.filter(({ incident_id }) => ids.includes(incident_id))
}

/** An incident that is still open overlaps with all that begin later. */
const toText = (until: number) => (Number.isFinite(until) ? new Date(until).toISOString() : '9999')

/** Groups the incidents of a period, with those of the same outages that lie outside of it. The latest are first. */
export async function completeOutages(db: Database, incidents: readonly Incident[]): Promise<Outage[]> {
  const all = new Map(incidents.map((incident) => [incident.incidentId, incident]))
  const outages = groupOutages(incidents).filter((outage) => outage.incidents[0]!.system !== '')
  // One after another, because checkouts need the connections too.
  for (const outage of outages.slice(0, MAX_COMPLETED))
    for (const row of await listOutageRows(db, outage.incidents)) all.set(row.incident_id, toIncident(row))
  return groupOutages([...all.values()].toSorted((one, other) => other.lastAt - one.lastAt))
}
