import type { Mode } from '../../config/config.ts'
import type { Database } from '../database.ts'

/** Counted in batches: what is said of a moment may reach the store a little apart from it. */
const LEEWAY_MS = 1_000
const MOST = 50

export interface IncidentReference {
  incident_id: string
  system: string
  section: string
}

/** The incidents of a merchant and mode that a moment lies in. */
export async function listIncidentsAt(
  db: Database,
  { tenant, mode, at }: { tenant: string; mode: Mode; at: number },
): Promise<IncidentReference[]> {
  const [from, to] = [at - LEEWAY_MS, at + LEEWAY_MS].map((ms) => new Date(ms).toISOString()) as [string, string]
  return db
    .selectFrom('incidents')
    .select(['incident_id', 'system', 'section'])
    .where('tenant_id', '=', tenant)
    .where('mode', '=', mode)
    .where('last_at', '>=', from)
    .where('began_at', '<=', to)
    .orderBy('last_at', 'desc')
    .limit(MOST)
    .execute()
}
