import type { Mode, Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { fitmentImports } from '../fitment/fitment-imports.ts'
import type { ImportStore } from '../imports/import-store.ts'
import { referenceImports } from '../references/reference-imports.ts'

/** An import that failed. */
export interface FailedImport {
  entry_id: string
  action: string
  at: string
  tenant_id: string
  mode: Mode
}

/** The import whose data shoppers see. */
export interface ShownImport {
  /** The name of the file. */
  source: string
  at: string
}

/** The imports, by their action in the audit log. */
const stores: Readonly<Record<string, Pick<ImportStore<unknown>, 'listCurrent'>>> = {
  'fitment.import': fitmentImports,
  'references.import': referenceImports,
}
const IMPORTS = Object.keys(stores)
const MAX_ENTRIES = 500

/** Returns the imports since an instant (RFC 3339) that failed, if no later import of the same kind and tenant succeeded. The latest of each is returned. */
export async function listFailedImports(db: Database, since: string): Promise<FailedImport[]> {
  const entries = await db
    .selectFrom('audit_log')
    .select(['entry_id', 'action', 'at', 'outcome', 'target'])
    .where('action', 'in', IMPORTS)
    .where('at', '>=', since)
    .orderBy('at', 'desc')
    .orderBy('entry_id', 'desc')
    .limit(MAX_ENTRIES)
    .execute()
  const latest = new Map<string, FailedImport & { outcome: string }>()
  for (const { target, ...entry } of entries) {
    const { merchant, mode } = JSON.parse(target) as { merchant: string; mode: Mode }
    const key = toImportKey(entry.action, { merchant, mode })
    if (!latest.has(key)) latest.set(key, { ...entry, tenant_id: merchant, mode })
  }
  return [...latest.values()].filter(({ outcome }) => outcome === 'failed').map(({ outcome: _, ...entry }) => entry)
}

/** Returns the import of an action and a tenant whose data shoppers see; `null`: nothing is imported. */
export type ShownImportLookup = (action: string, tenant: Tenant) => ShownImport | null

/** Reads the imports whose data shoppers see, of all tenants. */
export async function readShownImports(db: Database): Promise<ShownImportLookup> {
  const entries = await Promise.all(
    Object.entries(stores).map(async ([action, { listCurrent }]) =>
      (await listCurrent(db)).map(({ tenant_id, mode, source, touched_at }) => {
        const shown: ShownImport = { source, at: touched_at }
        return [toImportKey(action, { merchant: tenant_id, mode }), shown] as const
      }),
    ),
  )
  const imports = new Map(entries.flat())
  return (action, tenant) => imports.get(toImportKey(action, tenant)) ?? null
}

const toImportKey = (action: string, { merchant, mode }: Tenant) => [action, merchant, mode].join(' ')
