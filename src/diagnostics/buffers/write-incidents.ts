import type { Database } from '../../storage/database.ts'
import { applyIncidentUpdates } from '../../storage/diagnostics/incident-updates.ts'
import {
  endIncident,
  endQuietIncidents,
  isIncidentOver,
  listOpenIncidents,
  type OpenIncident,
  recordSectionHealthy,
  recordSystemResponding,
} from '../../storage/diagnostics/open-incidents.ts'
import {
  type FailureEvidence,
  isRecentFailure,
  type MergedFailureEvidence,
  mergeFailureEvidence,
} from '../status/failure-evidence.ts'
import { readLiveProcessStates } from '../status/process-heartbeat.ts'
import type { IncidentBuffer } from './incident-buffer.ts'

export interface IncidentWriterParts {
  /** The name of this process. */
  process: string
  now: () => number
}

/** Writes degraded responses, and ends the incidents that no process sees any more. */
export async function writeIncidents(db: Database, buffer: IncidentBuffer, parts: IncidentWriterParts): Promise<void> {
  const updates = buffer.take()
  try {
    if (updates.length > 0) await endEarlierIncidents(db, buffer, parts)
    await applyIncidentUpdates(db, updates)
  } catch (error) {
    buffer.restore(updates)
    throw error
  }
  const openIncidents = await listOpenIncidents(db)
  if (openIncidents.length === 0) return
  const at = parts.now()
  // Keys may be refused for days, and no process is asked about them.
  const areSystemsFailing = openIncidents.some(({ system }) => system !== '')
  const others = areSystemsFailing ? await readOthersFailures(db, parts) : []
  const evidence = mergeFailureEvidence([buffer.failures(at), ...others])
  for (const incident of openIncidents) {
    await writeRespondingSince(db, buffer, incident, evidence)
    if (incident.well_at !== null && incident.well_at > incident.last_at) continue
    const healthyAt = buffer.healthySince(incident)
    if (healthyAt === null) continue
    incident.well_at = new Date(healthyAt).toISOString()
    await recordSectionHealthy(db, incident.incident_id, incident.well_at)
  }
  const ongoing = openIncidents.filter((incident) => evidence.isSectionFailing(incident))
  if (openIncidents.some((incident) => isIncidentOver(incident, at) && !ongoing.includes(incident)))
    await endQuietIncidents(
      db,
      at,
      ongoing.map(({ incident_id }) => incident_id),
    )
}

/** Processes that ended, or were killed some seconds ago, see nothing any more. Neither does one whose clock is far ahead. */
async function readOthersFailures(db: Database, { process, now }: IncidentWriterParts): Promise<FailureEvidence[]> {
  const at = now()
  const states = await readLiveProcessStates(db, at)
  const others = states.filter((state) => state.process !== process && isRecentFailure(state.at, at))
  return others.flatMap(({ failing }) => failing ?? [])
}

/**
 * Ends incidents of systems that have worked since and failed again, so that the new failure is an incident of its own. That a system has worked
 * for this process means nothing if another one has seen it fail all along.
 */
async function endEarlierIncidents(db: Database, buffer: IncidentBuffer, parts: IncidentWriterParts): Promise<void> {
  const incidents = await listOpenIncidents(db)
  const earlier = incidents.flatMap((incident) => {
    const responded = buffer.respondedBefore(incident)
    return responded === null ? [] : [{ incident, responded }]
  })
  if (earlier.length === 0) return
  const evidence = mergeFailureEvidence(await readOthersFailures(db, parts))
  for (const { incident, responded } of earlier)
    if (!evidence.hasFailedDuring(incident, responded))
      await endIncident(db, incident.incident_id, new Date(responded.from).toISOString())
}

/** A process that has made no call knows nothing. One that sees calls fail is right, and those for which others succeed are not. */
async function writeRespondingSince(
  db: Database,
  buffer: IncidentBuffer,
  incident: OpenIncident,
  evidence: MergedFailureEvidence,
): Promise<void> {
  const { incident_id, responding_since: known = null, last_at } = incident
  if (evidence.isSystemFailing(incident)) {
    if (known !== null && known > last_at) await recordSystemResponding(db, incident_id, null)
    return
  }
  const respondingAt = buffer.respondingSince(incident)
  const since = respondingAt === null ? null : new Date(respondingAt).toISOString()
  if (since !== null && since !== known) await recordSystemResponding(db, incident_id, since)
}
