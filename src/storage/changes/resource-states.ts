import type { Mode } from '../../config/config.ts'
import type { Database } from '../database.ts'
import { hasRowLocks } from '../row-locks.ts'

export interface ResourceOwner {
  tenant_id: string
  mode: Mode
}

export interface ResourceState<S> {
  /** `null`: it was never seen. */
  state: S | null
  checkedAt: string
}

export interface NewResourceState {
  id: string
  state: object
  /** YYYY-MM-DD: the day that changes it. */
  dueOn?: string | null
}

/**
 * What is known of these, held to the end of the transaction; what is unknown is held too. Everybody holds in one order, so that two who
 * hold many do not wait for each other.
 */
export async function lockResources<S>(
  transaction: Database,
  owner: ResourceOwner,
  type: string,
  ids: readonly string[],
  at: string,
): Promise<Map<string, ResourceState<S>>> {
  if (ids.length === 0) return new Map()
  const sorted = [...new Set(ids)].sort()
  await transaction
    .insertInto('resources')
    .values(sorted.map((id) => ({ ...keyOf(owner, type, id), sequence: 0, state: null, due_on: null, checked_at: at })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const rows = found(transaction, owner, type, sorted).select(['id', 'state', 'checked_at']).orderBy('id')
  return byId(await (hasRowLocks(transaction) ? rows.forUpdate() : rows).execute())
}

/** The same, as it stands at this moment; those that are unknown are left out. */
export async function readResourceStates<S>(
  db: Database,
  owner: ResourceOwner,
  type: string,
  ids: readonly string[],
): Promise<Map<string, ResourceState<S>>> {
  if (ids.length === 0) return new Map()
  const rows = found(db, owner, type, [...new Set(ids)]).select(['id', 'state', 'checked_at'])
  return byId(await rows.where('state', 'is not', null).execute())
}

export async function storeResourceStates(
  transaction: Database,
  owner: ResourceOwner,
  type: string,
  states: readonly NewResourceState[],
  checkedAt: string,
): Promise<void> {
  if (states.length === 0) return
  const rows = states.map(({ id, state, dueOn = null }) => ({
    ...{ ...keyOf(owner, type, id), sequence: 0, state: JSON.stringify(state), due_on: dueOn, checked_at: checkedAt },
  }))
  await transaction
    .insertInto('resources')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'mode', 'type', 'id']).doUpdateSet((of) => ({
        state: of.ref('excluded.state'),
        due_on: of.ref('excluded.due_on'),
        checked_at: of.ref('excluded.checked_at'),
      })),
    )
    .execute()
}

/** Notes that these were compared, and are as they were. */
export async function markResourcesChecked(
  db: Database,
  owner: ResourceOwner,
  type: string,
  ids: readonly string[],
  checkedAt: string,
): Promise<void> {
  if (ids.length === 0) return
  const { tenant_id, mode } = owner
  const rows = db.updateTable('resources').set({ checked_at: checkedAt }).where('tenant_id', '=', tenant_id)
  await rows.where('mode', '=', mode).where('type', '=', type).where('id', 'in', ids).execute()
}

/** Their day came, and was looked at. */
export async function clearResourceDueDates(
  db: Database,
  { tenant_id, mode }: ResourceOwner,
  type: string,
  ids: readonly string[],
  today: string,
): Promise<void> {
  const rows = db.updateTable('resources').set({ due_on: null }).where('tenant_id', '=', tenant_id)
  await rows
    .where('mode', '=', mode)
    .where('type', '=', type)
    .where('id', 'in', ids)
    .where('due_on', '<', today)
    .execute()
}

/** Those that were seen, the longest unchecked first. */
export const listLeastRecentlyChecked = (
  db: Database,
  owner: ResourceOwner,
  type: string,
  most: number,
): Promise<string[]> => inOrderOfChecks(db, owner, type, most, 'asc')

/** Those that were seen last. */
export const listMostRecentlyChecked = (
  db: Database,
  owner: ResourceOwner,
  type: string,
  most: number,
): Promise<string[]> => inOrderOfChecks(db, owner, type, most, 'desc')

async function inOrderOfChecks(
  db: Database,
  { tenant_id, mode }: ResourceOwner,
  type: string,
  most: number,
  order: 'asc' | 'desc',
): Promise<string[]> {
  const rows = await db
    .selectFrom('resources')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('mode', '=', mode)
    .where('type', '=', type)
    .where('state', 'is not', null)
    .orderBy('checked_at', order)
    .limit(most)
    .execute()
  return rows.map(({ id }) => id)
}

/** Those whose day came and went, the longest ago first. */
export async function listDueResources<S>(
  db: Database,
  { tenant_id, mode }: ResourceOwner,
  type: string,
  today: string,
  most: number,
): Promise<{ id: string; state: S }[]> {
  const rows = await db
    .selectFrom('resources')
    .select(['id', 'state'])
    .where('tenant_id', '=', tenant_id)
    .where('mode', '=', mode)
    .where('due_on', 'is not', null)
    .where('due_on', '<', today)
    .where('type', '=', type)
    .where('state', 'is not', null)
    .orderBy('due_on')
    .orderBy('checked_at')
    .limit(most)
    .execute()
  return rows.map(({ id, state }) => ({ id, state: JSON.parse(state!) as S }))
}

const keyOf = ({ tenant_id, mode }: ResourceOwner, type: string, id: string) => ({ tenant_id, mode, type, id })

function found(db: Database, { tenant_id, mode }: ResourceOwner, type: string, ids: readonly string[]) {
  const rows = db.selectFrom('resources').where('tenant_id', '=', tenant_id).where('mode', '=', mode)
  return rows.where('type', '=', type).where('id', 'in', ids)
}

function byId<S>(rows: { id: string; state: string | null; checked_at: string }[]): Map<string, ResourceState<S>> {
  return new Map(
    rows.map(({ id, state, checked_at }) => [
      id,
      { state: state === null ? null : (JSON.parse(state) as S), checkedAt: checked_at },
    ]),
  )
}
