import type { Mode, Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { EVERY_MERCHANT, INCIDENT_IDLE_MS, INCIDENT_QUIET_MS, type IncidentRow } from './open-incidents.ts'

/** No incident is open for longer than this after its last degraded response, unless Forecourt did not run. It bounds the work of a query. */
const MAX_QUIET_MS = 86_400_000

export interface IncidentRowQuery {
  merchant?: string | undefined
  /** Without a merchant: only incidents of these, and of all merchants. */
  merchants?: readonly string[] | undefined
  mode?: Mode | undefined
  system?: string | undefined
  open?: boolean | undefined
  /** Only incidents with a degraded response in this range, as far as is known, and open ones that began before its end. */
  during?: { from: string; to: string } | undefined
  /** Only incidents that were open at some time in this range: until their section was healthy again. */
  openDuring?: { from: string; to: string } | undefined
  /** The last row of the previous page. */
  after?: Pick<IncidentRow, 'last_at' | 'incident_id'> | undefined
  limit: number
}

/** Returns a page of incidents, the latest first. Incidents of all merchants belong to each merchant and mode. */
export async function listIncidentRows(db: Database, query: IncidentRowQuery): Promise<IncidentRow[]> {
  const { merchant, mode, limit } = query
  if (merchant === undefined && mode === undefined) return listRows(db, query)
  // Two queries: one of both would sort all incidents, because no index has this order.
  const [own, shared] = await Promise.all([
    listRows(db, query),
    listRows(db, { ...query, merchant: EVERY_MERCHANT, mode: undefined }),
  ])
  return [...own, ...shared].sort(compareLatestFirst).slice(0, limit)
}

function compareLatestFirst(one: IncidentRow, other: IncidentRow): number {
  const keyOf = ({ last_at, incident_id }: IncidentRow) => `${last_at} ${incident_id}`
  return keyOf(one) < keyOf(other) ? 1 : -1
}

async function listRows(
  db: Database,
  { merchant, merchants, mode, system, open, during, openDuring, after, limit }: IncidentRowQuery,
): Promise<IncidentRow[]> {
  let query = db.selectFrom('incidents').selectAll()
  if (merchant !== undefined) query = query.where('tenant_id', '=', merchant)
  else if (merchants !== undefined) query = query.where('tenant_id', 'in', [...merchants, EVERY_MERCHANT])
  if (mode !== undefined) query = query.where('mode', '=', mode).where('tenant_id', '!=', EVERY_MERCHANT)
  if (system !== undefined) query = query.where('system', '=', system)
  if (open !== undefined) query = query.where('ended_at', open ? 'is' : 'is not', null)
  if (during) {
    const { from, to } = during
    query = query
      .where('began_at', '<=', to)
      .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', from)]))
  }
  if (openDuring) {
    const { from, to } = openDuring
    const before = (ms: number) => new Date(Date.parse(from) - ms).toISOString()
    query = query
      .where('began_at', '<=', to)
      .where('last_at', '>=', before(MAX_QUIET_MS))
      .where((eb) =>
        eb.or([
          eb('ended_at', 'is', null),
          eb('well_at', '>=', from),
          eb('last_at', '>=', before(INCIDENT_QUIET_MS)),
          eb.and([
            eb('last_at', '>=', before(INCIDENT_IDLE_MS)),
            eb.or([eb('well_at', 'is', null), eb('well_at', '<=', eb.ref('last_at'))]),
          ]),
        ]),
      )
  }
  if (after) {
    const { last_at, incident_id } = after
    query = query.where((eb) => eb(eb.refTuple('last_at', 'incident_id'), '<', eb.tuple(last_at, incident_id)))
  }
  return query.orderBy('last_at', 'desc').orderBy('incident_id', 'desc').limit(limit).execute()
}

export interface IncidentCountQuery {
  system: string
  sections: readonly string[]
  /** An instant (RFC 3339): only incidents with a degraded response since then. */
  since: string
}

/** Counts the incidents of some sections of a tenant's system. */
export async function countIncidentsSince(
  db: Database,
  { merchant, mode }: Tenant,
  { system, sections, since }: IncidentCountQuery,
): Promise<number> {
  const counted = db
    .selectFrom('incidents')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('last_at', '>=', since)
    .where('system', '=', system)
    .where('section', 'in', sections)
  return Number((await counted.executeTakeFirstOrThrow()).count)
}

export async function findIncidentRow(db: Database, incidentId: string): Promise<IncidentRow | null> {
  const incident = db.selectFrom('incidents').selectAll().where('incident_id', '=', incidentId)
  return (await incident.executeTakeFirst()) ?? null
}

/** An incident that ended. */
export type EndedIncident = Pick<
  IncidentRow,
  'incident_id' | 'tenant_id' | 'mode' | 'system' | 'section' | 'last_at' | 'causes'
>

/**
 * Returns the incident of these merchants, or of all merchants, that ended last, of those with a degraded response since an instant (RFC 3339).
 * Incidents of refused keys are left out.
 */
export async function findLatestEndedIncident(
  db: Database,
  { merchants, since }: { merchants: readonly string[]; since: string },
): Promise<EndedIncident | null> {
  const ended = db
    .selectFrom('incidents')
    .select(['incident_id', 'tenant_id', 'mode', 'system', 'section', 'last_at', 'causes'])
    .where('last_at', '>=', since)
    .where('tenant_id', 'in', [...merchants, EVERY_MERCHANT])
    .where('ended_at', 'is not', null)
    // The section of a refused key is its id.
    .where((eb) => eb.or([eb('system', '!=', ''), eb('section', 'not like', 'key_%')]))
    .orderBy('ended_at', 'desc')
    .orderBy('incident_id', 'desc')
    .limit(1)
  return (await ended.executeTakeFirst()) ?? null
}

/** Counts reach the store in batches, so times may differ a little. */
const TOLERANCE_MS = 1_000
const MAX_INCIDENTS = 50

export interface IncidentReference {
  incident_id: string
  system: string
  section: string
  /** How the system failed: counts by kind, as JSON; `null`: an earlier release wrote it. */
  causes: string | null
}

/** Returns the incidents of a tenant, and of all merchants, that were open at an instant (milliseconds since the epoch). */
export async function listIncidentsAt(db: Database, tenant: Tenant, at: number): Promise<IncidentReference[]> {
  const shared: Tenant = { merchant: EVERY_MERCHANT, mode: 'live' }
  return (await Promise.all([tenant, shared].map((one) => listOfTenantAt(db, one, at)))).flat()
}

export interface StoreIncident extends IncidentReference {
  began_at: string
  last_at: string
}

/** Returns the incidents of Forecourt's database that were open between two instants (milliseconds since the epoch), the latest first. */
export async function listStoreIncidents(
  db: Database,
  { from, to }: { from: number; to: number },
): Promise<StoreIncident[]> {
  return db
    .selectFrom('incidents')
    .select(['incident_id', 'system', 'section', 'causes', 'began_at', 'last_at'])
    .where('tenant_id', '=', EVERY_MERCHANT)
    .where('mode', '=', 'live')
    .where('system', '=', '')
    .where('section', '=', 'store')
    .where('last_at', '>=', new Date(from - TOLERANCE_MS).toISOString())
    .where('began_at', '<=', new Date(to + TOLERANCE_MS).toISOString())
    .orderBy('last_at', 'desc')
    .limit(MAX_INCIDENTS)
    .execute()
}

/** Returns those of these incidents that were open at an instant. */
export const pickIncidentsAt = (incidents: readonly StoreIncident[], at: number): StoreIncident[] =>
  incidents.filter(
    ({ began_at, last_at }) => Date.parse(began_at) <= at + TOLERANCE_MS && Date.parse(last_at) >= at - TOLERANCE_MS,
  )

function listOfTenantAt(db: Database, { merchant, mode }: Tenant, at: number): Promise<IncidentReference[]> {
  return db
    .selectFrom('incidents')
    .select(['incident_id', 'system', 'section', 'causes'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('last_at', '>=', new Date(at - TOLERANCE_MS).toISOString())
    .where('began_at', '<=', new Date(at + TOLERANCE_MS).toISOString())
    .orderBy('last_at', 'desc')
    .limit(MAX_INCIDENTS)
    .execute()
}
