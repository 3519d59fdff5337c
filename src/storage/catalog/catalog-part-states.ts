import type { ExpressionBuilder } from 'kysely'
import type { CatalogPartName } from '../../catalog/mirror/file/catalog-part-names.ts'
import type { UpstreamFailure } from '../../errors.ts'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import { tenantColumns } from '../tenant-columns.ts'

/** How current a part of a tenant's catalog is. Times are RFC 3339, UTC. */
export interface CatalogPartState {
  name: CatalogPartName
  asOf: string | null
  /** `null`: it is still being read for the first time. */
  filledAt: string | null
  failure: UpstreamFailure | null
  failingSince: string | null
  /** The latest period of failures that has ended; `null` if none is known. */
  endedFailure: { failure: UpstreamFailure; from: string; until: string } | null
}

/** Records that a part was equal to the system's at `asOf`. */
export const markCatalogPartRead = (db: Database, tenant: Tenant, name: CatalogPartName, asOf: string): Promise<void> =>
  put(db, tenant, name, { as_of: asOf, failure: null, failing_since: null }, asOf)

/** Records that all of a part has been read. */
export const markCatalogPartFilled = (db: Database, tenant: Tenant, name: CatalogPartName, at: string): Promise<void> =>
  put(db, tenant, name, { filled_at: at })

/** Records a failed read. `since`: when the failing reads began. */
export const markCatalogPartFailing = (
  db: Database,
  tenant: Tenant,
  name: CatalogPartName,
  failure: UpstreamFailure,
  since: string,
): Promise<void> => put(db, tenant, name, { failure, failing_since: since })

/** Records that a job has ended at `at`: `filledAt` when all of the part has now been read, `failing` when reads of it fail. */
export const recordCatalogPart = (
  db: Database,
  tenant: Tenant,
  name: CatalogPartName,
  state: { at: string; asOf?: string; filledAt?: string; failing: { failure: UpstreamFailure; since: string } | null },
): Promise<void> =>
  put(
    db,
    tenant,
    name,
    {
      failure: state.failing?.failure ?? null,
      failing_since: state.failing?.since ?? null,
      ...(state.asOf !== undefined && { as_of: state.asOf }),
      ...(state.filledAt !== undefined && { filled_at: state.filledAt }),
    },
    state.failing === null ? state.at : null,
  )

/** Forgets how current a tenant's catalog is: it is read from the beginning when its mirror is turned on again. */
export async function deleteCatalogParts(db: Database, { merchant, mode }: Tenant): Promise<void> {
  await db.deleteFrom('catalog_parts').where('tenant_id', '=', merchant).where('mode', '=', mode).execute()
}

/** Adds the row of a part. Returns `false` when it was there. */
export async function addCatalogPart(transaction: Database, tenant: Tenant, name: CatalogPartName): Promise<boolean> {
  const added = await transaction
    .insertInto('catalog_parts')
    .values({ ...tenantColumns(tenant), name, ...UNREAD })
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .execute()
  return added.length > 0
}
/** Records that a part must be read from the beginning, because its source is another one. */
export const clearCatalogPart = (db: Database, tenant: Tenant, name: CatalogPartName): Promise<void> =>
  put(db, tenant, name, UNREAD)

type State = Pick<Tables['catalog_parts'], 'as_of' | 'filled_at' | 'failure' | 'failing_since'>

const UNREAD: State = { as_of: null, filled_at: null, failure: null, failing_since: null }

/** `succeededAt`: when reads succeeded, which ends a period of failures; `null` if something else is recorded. */
async function put(
  db: Database,
  tenant: Tenant,
  name: CatalogPartName,
  state: Partial<State>,
  succeededAt: string | null = null,
): Promise<void> {
  await db
    .insertInto('catalog_parts')
    .values({ ...tenantColumns(tenant), name, ...UNREAD, ...state })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'mode', 'name'])
        .doUpdateSet((eb) => ({ ...state, ...(succeededAt !== null && endFailure(eb, succeededAt)) })),
    )
    .execute()
}

/** Moves the failure of the row, if any, to `ended_failure`. */
function endFailure(eb: ExpressionBuilder<Tables, 'catalog_parts'>, until: string) {
  const keep = <C extends keyof Ended>(column: C, ended: 'failure' | 'failing_since' | null) =>
    eb
      .case()
      .when(eb.and([eb('catalog_parts.failure', 'is not', null), eb('catalog_parts.failure', '!=', 'not_configured')]))
      .then(ended === null ? eb.val(until) : eb.ref(`catalog_parts.${ended}`))
      .else(eb.ref(`catalog_parts.${column}`))
      .end()
  return {
    ended_failure: keep('ended_failure', 'failure'),
    ended_failure_from: keep('ended_failure_from', 'failing_since'),
    ended_failure_until: keep('ended_failure_until', null),
  }
}

type Ended = Pick<Tables['catalog_parts'], 'ended_failure' | 'ended_failure_from' | 'ended_failure_until'>

/** Returns the parts of a tenant's catalog that have been read, or tried, at least once. */
export async function listCatalogParts(db: Database, { merchant, mode }: Tenant): Promise<CatalogPartState[]> {
  const rows = await db
    .selectFrom('catalog_parts')
    .selectAll()
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .execute()
  return rows.map((row) => ({
    name: row.name as CatalogPartName,
    asOf: row.as_of,
    filledAt: row.filled_at,
    failure: row.failure as UpstreamFailure | null,
    failingSince: row.failing_since,
    endedFailure: toEndedFailure(row),
  }))
}

function toEndedFailure({
  ended_failure: failure,
  ended_failure_from: from,
  ended_failure_until: until,
}: Ended): CatalogPartState['endedFailure'] {
  if (failure === null || from === null || until === null) return null
  return { failure: failure as UpstreamFailure, from, until }
}
