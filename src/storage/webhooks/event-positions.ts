import { sql } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { isPostgresDatabase } from '../is-postgres-database.ts'
import { type TenantColumns, tenantColumns, tenantOf } from '../tenant-columns.ts'
import { transact } from '../transact.ts'

/** The events that one transaction numbers. Other transactions of a SQLite store wait while it runs. */
export const NUMBERED_PER_TRANSACTION = 500
/** The unnumbered events that one search for their tenants reads. */
const MAX_SEARCHED = 1_000

/**
 * Gives the next positions to committed events of a tenant that have none and are not held at `now`, and returns how many it numbered. Whoever numbers holds the lock
 * of the tenant's last position until the numbers are committed. So a reader who sees a position sees all lower ones too, in whatever order
 * the events were committed and whatever their clocks said. Events of one resource get positions in the order of their sequence.
 */
export async function numberEvents(db: Database, tenant: Tenant, now: number): Promise<number> {
  const at = new Date(now).toISOString()
  if (!(await hasUnnumberedEvents(db, tenant, at))) return 0
  return transact(db, async (transaction) => {
    const last = await lockLastPosition(transaction, tenant)
    const { numAffectedRows } = await sql`
      update events set position = ${last} + numbered.number
      from (
        select event_id as id, row_number() over (order by at, resource_type, resource_id, sequence) as number
        from (
          select event_id, resource_type, resource_id, sequence,
            max(created_at) over (partition by resource_type, resource_id order by sequence) as at
          from (${selectNextEvents(db, tenant, at)}) as next
        ) as ordered
      ) as numbered
      where events.event_id = numbered.id`.execute(transaction)
    const count = Number(numAffectedRows)
    await transaction
      .updateTable('event_positions')
      .set({ position: last + count })
      .where('tenant_id', '=', tenant.merchant)
      .where('mode', '=', tenant.mode)
      .execute()
    return count
  })
}

/**
 * Selects the oldest events and, because clocks differ, the events before them in the sequence of their resource. In the order of this query,
 * an event always comes after those before it. Usually there are none beyond the oldest.
 */
const selectNextEvents = (db: Database, { merchant, mode }: Tenant, now: string) => sql`
  with unheld as (
    select resource_type, resource_id, sequence, created_at from events
    where tenant_id = ${merchant} and mode = ${mode} and ${IS_UNHELD}
    order by created_at limit ${NUMBERED_PER_TRANSACTION}
  ), released as (
    select resource_type, resource_id, sequence, created_at from events
    where tenant_id = ${merchant} and mode = ${mode} and ${isReleased(now)}
    order by held_until limit ${NUMBERED_PER_TRANSACTION}
  ), oldest as materialized (
    select resource_type, resource_id, sequence from (select * from unheld union all select * from released) as due
    order by created_at limit ${NUMBERED_PER_TRANSACTION}
  ), last_of_resource as materialized (
    select resource_type, resource_id, max(sequence) as sequence from oldest group by resource_type, resource_id
  )
  select events.event_id, events.resource_type, events.resource_id, events.sequence, events.created_at
  from last_of_resource cross join events
  where events.tenant_id = ${merchant} and events.mode = ${mode} and events.position is null
    and events.resource_type = last_of_resource.resource_type
    and events.resource_id = last_of_resource.resource_id and events.sequence <= last_of_resource.sequence
  order by events.resource_type, events.resource_id, events.sequence limit ${NUMBERED_PER_TRANSACTION}
  ${isPostgresDatabase(db) ? sql`for update of events` : sql``}`

/** Two conditions, and an index for each: the events that are held are not read. */
const IS_UNHELD = sql<boolean>`position is null and held_until is null`
const isReleased = (now: string) => sql<boolean>`position is null and held_until <= ${now}`

/** Returns tenants that have events without a position: all of them, unless there are very many such events. */
export async function listUnnumberedTenants(db: Database, now: number): Promise<Tenant[]> {
  const { rows } = await sql<TenantColumns>`
    with unheld as (select tenant_id, mode from events where ${IS_UNHELD} limit ${MAX_SEARCHED}),
      released as (
        select tenant_id, mode from events
        where ${isReleased(new Date(now).toISOString())} order by held_until limit ${MAX_SEARCHED}
      )
    select * from unheld union select * from released`.execute(db)
  return rows.map(tenantOf)
}

/** Returns the tenant's last position that is assigned; 0: none. */
export async function readLastPosition(db: Database, { merchant, mode }: Tenant): Promise<number> {
  const row = await db
    .selectFrom('event_positions')
    .select('position')
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .executeTakeFirst()
  return row?.position ?? 0
}

/** Returns the first stored event after a position, without its content. */
export async function findNextPosition(
  db: Database,
  { merchant, mode }: Tenant,
  after: number,
): Promise<{ position: number; created_at: string } | null> {
  const next = await db
    .selectFrom('events')
    .select(['position', 'created_at'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('position', '>', after)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  return next ? { position: next.position!, created_at: next.created_at } : null
}

/** The last event of a slice. */
interface EventTime {
  created_at: string
  event_id: string
}

/** Examines some of the events from an instant on, in order of time, and returns the lowest of their positions and where to go on. */
export async function findLowestPosition(
  db: Database,
  { merchant, mode }: Tenant,
  after: EventTime,
  limit: number,
): Promise<{ position: number | null; next: EventTime | null }> {
  const slice = db
    .selectFrom('events')
    .select(['position', 'created_at', 'event_id'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where((eb) => eb(eb.refTuple('created_at', 'event_id'), '>', eb.tuple(after.created_at, after.event_id)))
    .orderBy('created_at')
    .orderBy('event_id')
  const last = await slice
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst()
  const { position } = await db
    .selectFrom(slice.limit(limit).as('slice'))
    .select((eb) => eb.fn.min('position').as('position'))
    .executeTakeFirstOrThrow()
  return { position, next: last ?? null }
}

async function hasUnnumberedEvents(db: Database, { merchant, mode }: Tenant, now: string): Promise<boolean> {
  const ofTenant = db.selectFrom('events').select('event_id').where('tenant_id', '=', merchant).where('mode', '=', mode)
  // Without an order, SQLite searches all events of the tenant.
  const unheld = ofTenant.where(IS_UNHELD).orderBy('created_at').limit(1)
  const released = ofTenant.where(isReleased(now)).orderBy('held_until').limit(1)
  return Boolean((await unheld.executeTakeFirst()) ?? (await released.executeTakeFirst()))
}

/** Returns the tenant's last position, and locks it until the transaction ends. */
async function lockLastPosition(transaction: Database, tenant: Tenant): Promise<number> {
  const { position } = await transaction
    .insertInto('event_positions')
    .values({ ...tenantColumns(tenant), position: 0 })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'mode']).doUpdateSet((eb) => ({ position: eb.ref('event_positions.position') })),
    )
    .returning('position')
    .executeTakeFirstOrThrow()
  return position
}
