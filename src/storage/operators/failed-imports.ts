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
const stores: Readonly<Record<string, Pick<ImportStore<unknown>, 'findCurrent'>>> = {
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
    const key = [entry.action, merchant, mode].join(' ')
    if (!latest.has(key)) latest.set(key, { ...entry, tenant_id: merchant, mode })
  }
  return [...latest.values()].filter(({ outcome }) => outcome === 'failed').map(({ outcome: _, ...entry }) => entry)
}

/** Returns the import of the same kind and tenant whose data shoppers see; `null`: nothing is imported. */
export async function findShownImport(db: Database, action: string, tenant: Tenant): Promise<ShownImport | null> {
  const current = await stores[action]?.findCurrent(db, tenant)
  return current ? { source: current.source, at: current.touched_at } : null
}
