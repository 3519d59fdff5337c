import type { Selectable } from 'kysely'
import type { Mode } from '../../config/config.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import { transact } from '../transact.ts'

export interface FitmentOwner {
  tenant_id: string
  mode: Mode
}

export interface FitmentImportCounts {
  vehicles: number
  skus: number
  /** A SKU and a vehicle each. */
  fitments: number
  universal: number
}

export interface FitmentImport extends FitmentOwner {
  import_id: number
  state: 'LOADING' | 'CURRENT' | 'ENDED'
  source: string
  counts: FitmentImportCounts
  created_at: string
  touched_at: string
}

const NONE: FitmentImportCounts = { vehicles: 0, skus: 0, fitments: 0, universal: 0 }

/** An import that nobody reads yet. */
export async function createFitmentImport(
  db: Database,
  { tenant_id, mode }: FitmentOwner,
  { import_id, source, at }: { import_id: number; source: string; at: string },
): Promise<void> {
  const times = { created_at: at, touched_at: at }
  await db
    .insertInto('fitment_imports')
    .values({ import_id, tenant_id, mode, state: 'LOADING', source, counts: JSON.stringify(NONE), ...times })
    .execute()
}

/** Shows that somebody is still writing it. `false`: it was given up meanwhile. */
export async function touchFitmentImport(db: Database, importId: number, at: string): Promise<boolean> {
  const { numUpdatedRows } = await loading(db, importId).set({ touched_at: at }).executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Puts it in force, in the place of `replaces`, and does `also` with it. `false`: it was given up meanwhile, or another came between, and nothing has changed. */
export function activateFitmentImport(
  db: Database,
  { tenant_id, mode }: FitmentOwner,
  {
    import_id,
    replaces,
    counts,
    at,
  }: { import_id: number; replaces: number | null; counts: FitmentImportCounts; at: string },
  also: (transaction: Database) => Promise<unknown> = async () => {},
): Promise<boolean> {
  return transact(db, async (transaction) => {
    const current = await findCurrentFitmentImport(transaction, { tenant_id, mode })
    if ((current?.import_id ?? null) !== replaces) throw new GivenUp()
    await deactivateFitmentImport(transaction, { tenant_id, mode }, at)
    const { numUpdatedRows } = await loading(transaction, import_id)
      .set({ state: 'CURRENT', counts: JSON.stringify(counts), touched_at: at })
      .executeTakeFirstOrThrow()
    if (numUpdatedRows !== 1n) throw new GivenUp()
    await also(transaction)
    return true
  }).catch((error: unknown) => {
    if (error instanceof GivenUp) return false
    throw error
  })
}

class GivenUp extends Error {}

/** Takes what is in force out of it. `false`: there was nothing. */
export async function deactivateFitmentImport(
  db: Database,
  { tenant_id, mode }: FitmentOwner,
  at: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('fitment_imports')
    .set({ state: 'ENDED', touched_at: at })
    .where('tenant_id', '=', tenant_id)
    .where('mode', '=', mode)
    .where('state', '=', 'CURRENT')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** It will not be in force. */
export async function abandonFitmentImport(db: Database, importId: number, at: string): Promise<void> {
  await loading(db, importId).set({ state: 'ENDED', touched_at: at }).execute()
}

/** All that are in force. */
export async function listCurrentFitmentImports(db: Database): Promise<FitmentImport[]> {
  const rows = await db.selectFrom('fitment_imports').selectAll().where('state', '=', 'CURRENT').execute()
  return rows.map(recordOf)
}

export async function findCurrentFitmentImport(
  db: Database,
  { tenant_id, mode }: FitmentOwner,
): Promise<FitmentImport | undefined> {
  const row = await db
    .selectFrom('fitment_imports')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('mode', '=', mode)
    .where('state', '=', 'CURRENT')
    .executeTakeFirst()
  return row && recordOf(row)
}

const loading = (db: Database, importId: number) =>
  db.updateTable('fitment_imports').where('import_id', '=', importId).where('state', '=', 'LOADING')

const recordOf = (row: Selectable<Tables['fitment_imports']>): FitmentImport => ({
  ...row,
  counts: JSON.parse(row.counts) as FitmentImportCounts,
})
