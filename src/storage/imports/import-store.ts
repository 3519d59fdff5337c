import type { Selectable } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import { analyzeImports } from '../analyze-tables.ts'
import type { Database } from '../database.ts'
import type { ImportRow } from '../tables/import-tables.ts'
import { type TenantColumns, tenantColumns } from '../tenant-columns.ts'
import { transact } from '../transact.ts'

/** An import of a file, as it is stored. */
export interface StoredImport<Counts> extends TenantColumns {
  import_id: number
  state: 'LOADING' | 'CURRENT' | 'ENDED'
  source: string
  counts: Counts
  created_at: string
  touched_at: string
}

export interface NextImport<Counts> {
  import_id: number
  /** The current import when this one started, or `null`. */
  replaces: number | null
  counts: Counts
  at: string
}

/** The imports of one kind. At most one of a tenant is current; nobody reads the others. */
export interface ImportStore<Counts> {
  /** The kind of imported data, in the names of leases: "fitment". */
  readonly subject: string
  /** Creates an import in state LOADING. */
  create(db: Database, tenant: Tenant, next: { import_id: number; source: string; at: string }): Promise<void>
  /** Marks an import as still being written. `false`: it was abandoned. */
  touch(db: Database, importId: number, at: string): Promise<boolean>
  /**
   * Activates an import in place of the import `replaces` and runs `also`, in one transaction. `false`: the import was abandoned, or
   * another one was activated first, and nothing has changed.
   */
  activate(
    db: Database,
    tenant: Tenant,
    next: NextImport<Counts>,
    also?: (transaction: Database) => Promise<unknown>,
  ): Promise<boolean>
  /** Deactivates the current import. `false`: there is none. */
  deactivate(db: Database, tenant: Tenant, at: string): Promise<boolean>
  /** Abandons an import that is being written. */
  abandon(db: Database, importId: number, at: string): Promise<void>
  /** Returns the current imports of all tenants. */
  listCurrent(db: Database): Promise<StoredImport<Counts>[]>
  findCurrent(db: Database, tenant: Tenant): Promise<StoredImport<Counts> | undefined>
}

class ActivationRefused extends Error {}

/** Creates the store of the imports in `table`, one of several with the same columns. */
export function createImportStore<Counts>(
  subject: string,
  importTable: 'fitment_imports' | 'reference_imports',
): ImportStore<Counts> {
  // The tables have the same columns: one type stands for all.
  const table = importTable as 'fitment_imports'

  const updateLoading = (db: Database, importId: number) =>
    db.updateTable(table).where('import_id', '=', importId).where('state', '=', 'LOADING')

  const toImport = (row: Selectable<ImportRow>): StoredImport<Counts> => ({
    ...row,
    counts: JSON.parse(row.counts) as Counts,
  })

  async function findCurrent(db: Database, { merchant, mode }: Tenant) {
    const row = await db
      .selectFrom(table)
      .selectAll()
      .where('tenant_id', '=', merchant)
      .where('mode', '=', mode)
      .where('state', '=', 'CURRENT')
      .executeTakeFirst()
    return row && toImport(row)
  }

  async function deactivate(db: Database, { merchant, mode }: Tenant, at: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable(table)
      .set({ state: 'ENDED', touched_at: at })
      .where('tenant_id', '=', merchant)
      .where('mode', '=', mode)
      .where('state', '=', 'CURRENT')
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  async function replaceCurrent(transaction: Database, tenant: Tenant, next: NextImport<Counts>): Promise<void> {
    const { import_id, replaces, counts, at } = next
    const current = await findCurrent(transaction, tenant)
    if ((current?.import_id ?? null) !== replaces) throw new ActivationRefused()
    await deactivate(transaction, tenant, at)
    const { numUpdatedRows } = await updateLoading(transaction, import_id)
      .set({ state: 'CURRENT', counts: JSON.stringify(counts), touched_at: at })
      .executeTakeFirstOrThrow()
    if (numUpdatedRows !== 1n) throw new ActivationRefused()
  }

  return {
    subject,
    findCurrent,
    deactivate,
    async create(db, tenant, { import_id, source, at }) {
      const row = { import_id, state: 'LOADING', source, counts: '{}', created_at: at, touched_at: at } as const
      await db
        .insertInto(table)
        .values({ ...tenantColumns(tenant), ...row })
        .execute()
    },
    async touch(db, importId, at) {
      const { numUpdatedRows } = await updateLoading(db, importId).set({ touched_at: at }).executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },
    async activate(db, tenant, next, also = async () => {}) {
      await analyzeImports(db)
      return transact(db, async (transaction) => {
        await replaceCurrent(transaction, tenant, next)
        await also(transaction)
        return true
      }).catch((error: unknown) => {
        if (error instanceof ActivationRefused) return false
        throw error
      })
    },
    async abandon(db, importId, at) {
      await updateLoading(db, importId).set({ state: 'ENDED', touched_at: at }).execute()
    },
    async listCurrent(db) {
      const rows = await db.selectFrom(table).selectAll().where('state', '=', 'CURRENT').execute()
      return rows.map(toImport)
    },
  }
}
