import type { Selectable } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import { type TenantColumns, tenantColumns } from '../tenant-columns.ts'
import { transact } from '../transact.ts'

export interface FitmentImportCounts {
  vehicles: number
  skus: number
  /** Pairs of a SKU and a vehicle. */
  fitments: number
  universal: number
}

export interface FitmentImport extends TenantColumns {
  import_id: number
  state: 'LOADING' | 'CURRENT' | 'ENDED'
  source: string
  counts: FitmentImportCounts
  created_at: string
  touched_at: string
}

const NO_COUNTS: FitmentImportCounts = { vehicles: 0, skus: 0, fitments: 0, universal: 0 }

/** Creates an import in state LOADING, which nobody reads yet. */
export async function createFitmentImport(
  db: Database,
  tenant: Tenant,
  { import_id, source, at }: { import_id: number; source: string; at: string },
): Promise<void> {
  const times = { created_at: at, touched_at: at }
  await db
    .insertInto('fitment_imports')
    .values({
      import_id,
      ...tenantColumns(tenant),
      state: 'LOADING',
      source,
      counts: JSON.stringify(NO_COUNTS),
      ...times,
    })
    .execute()
}

/** Marks an import as still being written. `false`: it was abandoned. */
export async function touchFitmentImport(db: Database, importId: number, at: string): Promise<boolean> {
  const { numUpdatedRows } = await updateLoading(db, importId).set({ touched_at: at }).executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/**
 * Activates an import in place of the import `replaces` and runs `also`, in one transaction. `false`: the import was abandoned, or
 * another one was activated first, and nothing has changed.
 */
export function activateFitmentImport(
  db: Database,
  tenant: Tenant,
  {
    import_id,
    replaces,
    counts,
    at,
  }: { import_id: number; replaces: number | null; counts: FitmentImportCounts; at: string },
  also: (transaction: Database) => Promise<unknown> = async () => {},
): Promise<boolean> {
  return transact(db, async (transaction) => {
    const current = await findCurrentFitmentImport(transaction, tenant)
    if ((current?.import_id ?? null) !== replaces) throw new ActivationRefused()
    await deactivateFitmentImport(transaction, tenant, at)
    const { numUpdatedRows } = await updateLoading(transaction, import_id)
      .set({ state: 'CURRENT', counts: JSON.stringify(counts), touched_at: at })
      .executeTakeFirstOrThrow()
    if (numUpdatedRows !== 1n) throw new ActivationRefused()
    await also(transaction)
    return true
  }).catch((error: unknown) => {
    if (error instanceof ActivationRefused) return false
    throw error
  })
}

class ActivationRefused extends Error {}

/** Deactivates the current import. `false`: there is none. */
export async function deactivateFitmentImport(db: Database, { merchant, mode }: Tenant, at: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('fitment_imports')
    .set({ state: 'ENDED', touched_at: at })
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('state', '=', 'CURRENT')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Abandons an import that is being written. */
export async function abandonFitmentImport(db: Database, importId: number, at: string): Promise<void> {
  await updateLoading(db, importId).set({ state: 'ENDED', touched_at: at }).execute()
}

/** Returns the current imports of all tenants. */
export async function listCurrentFitmentImports(db: Database): Promise<FitmentImport[]> {
  const rows = await db.selectFrom('fitment_imports').selectAll().where('state', '=', 'CURRENT').execute()
  return rows.map(toFitmentImport)
}

export async function findCurrentFitmentImport(
  db: Database,
  { merchant, mode }: Tenant,
): Promise<FitmentImport | undefined> {
  const row = await db
    .selectFrom('fitment_imports')
    .selectAll()
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('state', '=', 'CURRENT')
    .executeTakeFirst()
  return row && toFitmentImport(row)
}

const updateLoading = (db: Database, importId: number) =>
  db.updateTable('fitment_imports').where('import_id', '=', importId).where('state', '=', 'LOADING')

const toFitmentImport = (row: Selectable<Tables['fitment_imports']>): FitmentImport => ({
  ...row,
  counts: JSON.parse(row.counts) as FitmentImportCounts,
})
