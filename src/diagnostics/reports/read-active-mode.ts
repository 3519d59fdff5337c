import type { Database } from '../../storage/database.ts'
import { listActiveModes } from '../../storage/diagnostics/timeline-counts.ts'
import type { Mode } from '../../tenant.ts'

const DAY_MS = 86_400_000

/** Returns the mode in which a merchant had requests in the last day; `live` when in both, or in none. */
export async function readActiveMode(db: Database, merchant: string, now: number): Promise<Mode> {
  const activeModes = await listActiveModes(db, merchant, new Date(now - DAY_MS).toISOString())
  return activeModes.includes('live') ? 'live' : (activeModes[0] ?? 'live')
}
