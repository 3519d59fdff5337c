import type { Mode } from '../../tenant.ts'
import type { Database } from '../database.ts'

/** An import that failed. */
export interface FailedImport {
  entry_id: string
  action: string
  at: string
  tenant_id: string
  mode: Mode
}

/** The actions of imports in the audit log. */
const IMPORTS = ['fitment.import', 'references.import']
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
