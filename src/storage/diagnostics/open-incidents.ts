import { type Selectable, sql } from 'kysely'
import type { Database } from '../database.ts'
import { acquireAdvisoryLock } from '../postgres/acquire-advisory-lock.ts'
import type { Tables } from '../tables.ts'
import { transact } from '../transact.ts'

export type IncidentRow = Selectable<Tables['incidents']>
export type IncidentKey = Pick<IncidentRow, 'tenant_id' | 'mode' | 'system' | 'section'>
export type OpenIncident = IncidentKey &
  Pick<IncidentRow, 'incident_id' | 'began_at' | 'last_at' | 'well_at' | 'answers'> &
  Partial<Pick<IncidentRow, 'impact' | 'responding_since'>>

/** The `tenant_id` of an incident that concerns all merchants. Its mode has no meaning. */
export const EVERY_MERCHANT = ''
/** An incident ends when its section has had no degraded response for this long and has been healthy since. */
export const INCIDENT_QUIET_MS = 5_000
/** An incident ends when nobody has requested its section for this long. */
export const INCIDENT_IDLE_MS = 300_000
/** The largest plausible difference between the clocks of two processes. */
const MAX_CLOCK_SKEW_MS = 60_000

const columns = [
  'incident_id',
  'tenant_id',
  'mode',
  'system',
  'section',
  'began_at',
  'last_at',
  'well_at',
  'responding_since',
  'answers',
  'impact',
] as const

/** Returns all open incidents: at most one for each section. */
export async function listOpenIncidents(db: Database): Promise<OpenIncident[]> {
  return db.selectFrom('incidents').select(columns).where('ended_at', 'is', null).execute()
}

/** Records that an incident's section was healthy at that instant, unless a degraded response followed. */
export async function recordSectionHealthy(db: Database, incidentId: string, at: string): Promise<void> {
  await db
    .updateTable('incidents')
    .set({ well_at: at })
    .where('incident_id', '=', incidentId)
    .where('ended_at', 'is', null)
    .where('last_at', '<', at)
    .execute()
}

/** Returns since when the system of an incident responds to other calls (milliseconds since the epoch). A degraded response since then disproves it. */
export const readRespondingSince = ({
  responding_since = null,
  last_at,
}: Pick<OpenIncident, 'responding_since' | 'last_at'>): number | null =>
  responding_since !== null && responding_since > last_at ? Date.parse(responding_since) : null

/**
 * Records since when the system of an open incident responds to other calls; `null`: it does not. Of the times that several processes record, the
 * latest stays: since then, all of them have seen it respond.
 */
export async function recordSystemResponding(db: Database, incidentId: string, since: string | null): Promise<void> {
  let open = db
    .updateTable('incidents')
    .set({ responding_since: since })
    .where('incident_id', '=', incidentId)
    .where('ended_at', 'is', null)
  if (since !== null)
    open = open.where((eb) => eb.or([eb('responding_since', 'is', null), eb('responding_since', '<', since)]))
  await open.execute()
}

/** Ends an incident as of its last degraded response, unless one has followed since its system responded again (RFC 3339). */
export async function endIncident(db: Database, incidentId: string, respondingSince: string): Promise<void> {
  await transact(db, async (transaction) => {
    await acquireAdvisoryLock(transaction, 'incidents')
    await transaction
      .updateTable('incidents')
      .set((eb) => ({ ended_at: eb.ref('last_at'), responding_since: respondingSince }))
      .where('incident_id', '=', incidentId)
      .where('ended_at', 'is', null)
      .where('last_at', '<', respondingSince)
      .execute()
  })
}

/**
 * Ends the incidents that are over at that instant, as of their last degraded response, except those that a process still sees (`ongoingIds`).
 * Times that a wrong clock put far ahead are set to now.
 */
export async function endQuietIncidents(db: Database, now: number, ongoingIds: readonly string[] = []): Promise<void> {
  const iso = (ms: number) => new Date(ms).toISOString()
  await transact(db, async (transaction) => {
    await acquireAdvisoryLock(transaction, 'incidents')
    await transaction
      .updateTable('incidents')
      .set({
        last_at: iso(now),
        began_at: sql<string>`case when began_at > ${iso(now)} then ${iso(now)} else began_at end`,
        well_at: null,
        responding_since: null,
      })
      .where('ended_at', 'is', null)
      .where('last_at', '>', iso(now + MAX_CLOCK_SKEW_MS))
      .execute()
    const over = transaction
      .updateTable('incidents')
      .set((eb) => ({ ended_at: eb.ref('last_at') }))
      .where('ended_at', 'is', null)
      .$if(ongoingIds.length > 0, (update) => update.where('incident_id', 'not in', ongoingIds))
    await over
      .where((eb) =>
        eb.or([
          eb('last_at', '<=', iso(now - INCIDENT_IDLE_MS)),
          eb.and([eb('last_at', '<=', iso(now - INCIDENT_QUIET_MS)), eb('well_at', '>', eb.ref('last_at'))]),
        ]),
      )
      .execute()
  })
}

/** Returns whether `endQuietIncidents` would change an incident. */
export function isIncidentOver({ last_at, well_at }: OpenIncident, now: number): boolean {
  const quietMs = now - Date.parse(last_at)
  if (quietMs < -MAX_CLOCK_SKEW_MS) return true
  return quietMs >= INCIDENT_IDLE_MS || (quietMs >= INCIDENT_QUIET_MS && well_at !== null && well_at > last_at)
}

export async function countOpenIncidents(db: Database) {
  return db
    .selectFrom('incidents')
    .select(['tenant_id', 'mode', 'system'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('ended_at', 'is', null)
    .groupBy(['tenant_id', 'mode', 'system'])
    .execute()
}
