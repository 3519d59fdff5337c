import type { Incident } from '../../../diagnostics/reports/incidents.ts'
import { isKeyIncident } from '../../../diagnostics/status/read-refused-keys.ts'
import type { Database } from '../../../storage/database.ts'
import { listApiKeysById } from '../../../storage/keys/api-keys.ts'

/** Names the incidents of refused keys by the labels of the keys, by incident. A key without a label keeps its id. */
export async function readRefusedKeyIncidentNames(
  db: Database,
  incidents: readonly Incident[],
): Promise<ReadonlyMap<string, string>> {
  const ofKeys = incidents.filter(isKeyIncident)
  if (ofKeys.length === 0) return new Map()
  const ids = [...new Set(ofKeys.map(({ section }) => section))]
  const labels = new Map((await listApiKeysById(db, ids)).map(({ key_id, label }) => [key_id, label]))
  return new Map(
    ofKeys.flatMap(({ incidentId, section }) => {
      const label = labels.get(section)
      return label ? [[incidentId, `Refused key ${label}`] as const] : []
    }),
  )
}
