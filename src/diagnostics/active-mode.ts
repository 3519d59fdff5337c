import type { Mode } from '../config/config.ts'
import type { Database } from '../storage/database.ts'
import { listActiveModes } from '../storage/diagnostics/timeline-rows.ts'

const DAY_MS = 86_400_000

/** In which a merchant had answers in the last day; `live` when it had some in both, or in none. */
export async function readActiveMode(db: Database, tenant: string, now: number): Promise<Mode> {
  const used = await listActiveModes(db, tenant, new Date(now - DAY_MS).toISOString())
  return used.includes('live') || used.length === 0 ? 'live' : used[0]!
}
