import { type Selectable, sql } from 'kysely'
import type { Database } from '../database.ts'
import { acquireAdvisoryLock } from '../row-locks.ts'
import type { Tables } from '../tables.ts'
import { transact } from '../transact.ts'

export type IncidentRow = Selectable<Tables['incidents']>
export type IncidentKey = Pick<IncidentRow, 'tenant_id' | 'mode' | 'system' | 'section'>
export type OpenIncident = IncidentKey &
  Pick<IncidentRow, 'incident_id' | 'began_at' | 'last_at' | 'well_at' | 'answers'>

/** Without a degraded answer for so long, and well since: it is over. */
export const INCIDENT_QUIET_MS = 5_000
/** The same when nobody asks for the section. */
export const INCIDENT_IDLE_MS = 300_000
/** Clocks of processes differ, but not by so much. */
const AHEAD_MS = 60_000

const open = [
  'incident_id',
  'tenant_id',
  'mode',
  'system',
  'section',
  'began_at',
  'last_at',
  'well_at',
  'answers',
] as const

/** There are no more of them than sections. */
export async function listOpenIncidents(db: Database): Promise<OpenIncident[]> {
  return db.selectFrom('incidents').select(open).where('ended_at', 'is', null).execute()
}

/** Its section was well at that instant, after the last degraded answer that is known of. */
export async function recordSectionHealthy(db: Database, incidentId: string, at: string): Promise<void> {
  await db
    .updateTable('incidents')
    .set({ well_at: at })
    .where('incident_id', '=', incidentId)
    .where('ended_at', 'is', null)
    .where('last_at', '<', at)
    .execute()
}

/** Ends those that are over at that instant: as of their last degraded answer. What a clock that was wrong has put far ahead goes on from now. */
export async function endQuietIncidents(db: Database, now: number): Promise<void> {
  const iso = (ms: number) => new Date(ms).toISOString()
  await transact(db, async (transaction) => {
    await acquireAdvisoryLock(transaction, 'incidents')
    await transaction
      .updateTable('incidents')
      .set({
        last_at: iso(now),
        began_at: sql<string>`case when began_at > ${iso(now)} then ${iso(now)} else began_at end`,
        well_at: null,
      })
      .where('ended_at', 'is', null)
      .where('last_at', '>', iso(now + AHEAD_MS))
      .execute()
    await transaction
      .updateTable('incidents')
      .set((of) => ({ ended_at: of.ref('last_at') }))
      .where('ended_at', 'is', null)
      .where((of) =>
        of.or([
          of('last_at', '<=', iso(now - INCIDENT_IDLE_MS)),
          of.and([of('last_at', '<=', iso(now - INCIDENT_QUIET_MS)), of('well_at', '>', of.ref('last_at'))]),
        ]),
      )
      .execute()
  })
}

/** Whether endIncidents has something to do with it. */
export function isIncidentOver({ last_at, well_at }: OpenIncident, now: number): boolean {
  const quietMs = now - Date.parse(last_at)
  if (quietMs < -AHEAD_MS) return true
  return quietMs >= INCIDENT_IDLE_MS || (quietMs >= INCIDENT_QUIET_MS && well_at !== null && well_at > last_at)
}
