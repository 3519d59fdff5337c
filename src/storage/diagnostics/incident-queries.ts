import type { Mode } from '../../config/config.ts'
import type { Database } from '../database.ts'
import type { IncidentRow } from './open-incidents.ts'

export interface IncidentRowQuery {
  tenant?: string | undefined
  mode?: Mode | undefined
  /** Whether they go on. */
  open?: boolean | undefined
  /** Those that went on at some instant of it. */
  during?: { from: string; to: string } | undefined
  /** What comes after that one in the list. */
  after?: Pick<IncidentRow, 'last_at' | 'incident_id'> | undefined
  most: number
}

/** The latest first. */
export async function listIncidentRows(
  db: Database,
  { tenant, mode, open, during, after, most }: IncidentRowQuery,
): Promise<IncidentRow[]> {
  let query = db.selectFrom('incidents').selectAll()
  if (tenant !== undefined) query = query.where('tenant_id', '=', tenant)
  if (mode !== undefined) query = query.where('mode', '=', mode)
  if (open !== undefined) query = query.where('ended_at', open ? 'is' : 'is not', null)
  if (during) {
    const { from, to } = during
    query = query
      .where('began_at', '<=', to)
      .where((of) => of.or([of('ended_at', 'is', null), of('ended_at', '>=', from)]))
  }
  if (after) {
    const { last_at, incident_id } = after
    query = query.where((of) => of(of.refTuple('last_at', 'incident_id'), '<', of.tuple(last_at, incident_id)))
  }
  return query.orderBy('last_at', 'desc').orderBy('incident_id', 'desc').limit(most).execute()
}

/** `null`: there is none. */
export async function findIncidentRow(db: Database, incidentId: string): Promise<IncidentRow | null> {
  const found = db.selectFrom('incidents').selectAll().where('incident_id', '=', incidentId)
  return (await found.executeTakeFirst()) ?? null
}
