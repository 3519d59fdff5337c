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
}

/** Records that a part was equal to the system's at `asOf`. */
export const markCatalogPartRead = (db: Database, tenant: Tenant, name: CatalogPartName, asOf: string): Promise<void> =>
  put(db, tenant, name, { as_of: asOf, failure: null, failing_since: null })

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

/** Records that a job has ended: `filledAt` when all of the part has now been read, `failing` when reads of it fail. */
export const recordCatalogPart = (
  db: Database,
  tenant: Tenant,
  name: CatalogPartName,
  state: { asOf?: string; filledAt?: string; failing: { failure: UpstreamFailure; since: string } | null },
): Promise<void> =>
  put(db, tenant, name, {
    failure: state.failing?.failure ?? null,
    failing_since: state.failing?.since ?? null,
    ...(state.asOf !== undefined && { as_of: state.asOf }),
    ...(state.filledAt !== undefined && { filled_at: state.filledAt }),
  })

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

async function put(db: Database, tenant: Tenant, name: CatalogPartName, state: Partial<State>): Promise<void> {
  await db
    .insertInto('catalog_parts')
    .values({ ...tenantColumns(tenant), name, ...UNREAD, ...state })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'mode', 'name']).doUpdateSet(state))
    .execute()
}

/** Returns the parts of a tenant's catalog that have been read, or tried, at least once. */
export async function listCatalogParts(db: Database, { merchant, mode }: Tenant): Promise<CatalogPartState[]> {
  const rows = await db
    .selectFrom('catalog_parts')
    .selectAll()
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .execute()
  return rows.map(({ name, as_of, filled_at, failure, failing_since }) => ({
    name: name as CatalogPartName,
    asOf: as_of,
    filledAt: filled_at,
    failure: failure as UpstreamFailure | null,
    failingSince: failing_since,
  }))
}
