import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { isPostgresDatabase } from '../is-postgres-database.ts'
import { tenantColumns } from '../tenant-columns.ts'

export interface ResourceState<S> {
  /** `null`: never read. */
  state: S | null
  checkedAt: string
}

export interface NewResourceState {
  id: string
  state: object
  /** YYYY-MM-DD: the day on which it changes by itself. */
  dueOn?: string | null
}

/**
 * Returns the stored states of these resources and locks their rows until the transaction ends, creating missing ones. Rows are locked in
 * a fixed order, so that two transactions do not deadlock.
 */
export async function lockResources<S>(
  transaction: Database,
  tenant: Tenant,
  type: string,
  ids: readonly string[],
  at: string,
): Promise<Map<string, ResourceState<S>>> {
  if (ids.length === 0) return new Map()
  const sorted = [...new Set(ids)].sort()
  await transaction
    .insertInto('resources')
    .values(
      sorted.map((id) => ({
        ...resourceKey(tenant, type, id),
        sequence: 0,
        state: null,
        due_on: null,
        checked_at: at,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const rows = selectResources(transaction, tenant, type, sorted).select(['id', 'state', 'checked_at']).orderBy('id')
  return toStatesById(await (isPostgresDatabase(transaction) ? rows.forUpdate() : rows).execute())
}

/** Returns the stored states of these resources without a lock. Resources that were never read are left out. */
export async function readResourceStates<S>(
  db: Database,
  tenant: Tenant,
  type: string,
  ids: readonly string[],
): Promise<Map<string, ResourceState<S>>> {
  if (ids.length === 0) return new Map()
  const rows = selectResources(db, tenant, type, [...new Set(ids)]).select(['id', 'state', 'checked_at'])
  return toStatesById(await rows.where('state', 'is not', null).execute())
}

export async function storeResourceStates(
  transaction: Database,
  tenant: Tenant,
  type: string,
  states: readonly NewResourceState[],
  checkedAt: string,
): Promise<void> {
  if (states.length === 0) return
  const rows = states.map(({ id, state, dueOn = null }) => ({
    ...resourceKey(tenant, type, id),
    sequence: 0,
    state: JSON.stringify(state),
    due_on: dueOn,
    checked_at: checkedAt,
  }))
  await transaction
    .insertInto('resources')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'mode', 'type', 'id']).doUpdateSet((eb) => ({
        state: eb.ref('excluded.state'),
        due_on: eb.ref('excluded.due_on'),
        checked_at: eb.ref('excluded.checked_at'),
      })),
    )
    .execute()
}

/** Records that resources were compared with the back office and are unchanged. */
export async function markResourcesChecked(
  db: Database,
  tenant: Tenant,
  type: string,
  ids: readonly string[],
  checkedAt: string,
): Promise<void> {
  if (ids.length === 0) return
  const { merchant, mode } = tenant
  const rows = db.updateTable('resources').set({ checked_at: checkedAt }).where('tenant_id', '=', merchant)
  await rows.where('mode', '=', mode).where('type', '=', type).where('id', 'in', ids).execute()
}

/** Clears due dates that have passed and were handled. */
export async function clearResourceDueDates(
  db: Database,
  { merchant, mode }: Tenant,
  type: string,
  ids: readonly string[],
  today: string,
): Promise<void> {
  const rows = db.updateTable('resources').set({ due_on: null }).where('tenant_id', '=', merchant)
  await rows
    .where('mode', '=', mode)
    .where('type', '=', type)
    .where('id', 'in', ids)
    .where('due_on', '<', today)
    .execute()
}

/** Returns ids of known resources, the longest unchecked first. */
export const listLeastRecentlyChecked = (
  db: Database,
  tenant: Tenant,
  type: string,
  limit: number,
): Promise<string[]> => listByCheckTime(db, tenant, type, limit, 'asc')

/** Returns ids of known resources, the most recently checked first. */
export const listMostRecentlyChecked = (db: Database, tenant: Tenant, type: string, limit: number): Promise<string[]> =>
  listByCheckTime(db, tenant, type, limit, 'desc')

async function listByCheckTime(
  db: Database,
  { merchant, mode }: Tenant,
  type: string,
  limit: number,
  order: 'asc' | 'desc',
): Promise<string[]> {
  const rows = await db
    .selectFrom('resources')
    .select('id')
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('type', '=', type)
    .where('state', 'is not', null)
    .orderBy('checked_at', order)
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns resources whose due date has passed, the earliest first. */
export async function listDueResources<S>(
  db: Database,
  { merchant, mode }: Tenant,
  type: string,
  today: string,
  limit: number,
): Promise<{ id: string; state: S }[]> {
  const rows = await db
    .selectFrom('resources')
    .select(['id', 'state'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('due_on', 'is not', null)
    .where('due_on', '<', today)
    .where('type', '=', type)
    .where('state', 'is not', null)
    .orderBy('due_on')
    .orderBy('checked_at')
    .limit(limit)
    .execute()
  return rows.map(({ id, state }) => ({ id, state: JSON.parse(state!) as S }))
}

const resourceKey = (tenant: Tenant, type: string, id: string) => ({ ...tenantColumns(tenant), type, id })

function selectResources(db: Database, { merchant, mode }: Tenant, type: string, ids: readonly string[]) {
  const rows = db.selectFrom('resources').where('tenant_id', '=', merchant).where('mode', '=', mode)
  return rows.where('type', '=', type).where('id', 'in', ids)
}

function toStatesById<S>(
  rows: { id: string; state: string | null; checked_at: string }[],
): Map<string, ResourceState<S>> {
  return new Map(
    rows.map(({ id, state, checked_at }) => [
      id,
      { state: state === null ? null : (JSON.parse(state) as S), checkedAt: checked_at },
    ]),
  )
}
