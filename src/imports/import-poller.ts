import { startPoller } from '../lifecycle/poller.ts'
import type { Database } from '../storage/database.ts'
import type { ImportStore, StoredImport } from '../storage/imports/import-store.ts'
import { tenantOf } from '../storage/tenant-columns.ts'
import { type Tenant, tenantKey } from '../tenant.ts'

export interface ImportPollerParts {
  db: Database
  store: ImportStore<unknown>
  /** Called for a tenant whose current import has changed. */
  onChanged(tenant: Tenant): void
  onError(error: unknown): void
  /** `null`: rounds run only when `poll` is called. */
  intervalMs?: number | null
}

/** Detects imports of files, which other processes make. */
export interface ImportPoller extends AsyncDisposable {
  poll(): Promise<void>
}

const INTERVAL_MS = 500

export function createImportPoller(parts: ImportPollerParts): ImportPoller {
  const { db, store, onChanged, onError, intervalMs = INTERVAL_MS } = parts
  let known = new Map<string, StoredImport<unknown>>()
  let isFailing = false

  async function compareImports(): Promise<void> {
    const imports = await store.listCurrent(db)
    isFailing = false
    const current = new Map(imports.map((row) => [tenantKey(tenantOf(row)), row]))
    const changed = [...new Map([...known, ...current])].filter(
      ([key]) => known.get(key)?.import_id !== current.get(key)?.import_id,
    )
    known = current
    for (const [, row] of changed) onChanged(tenantOf(row))
  }

  const poller = startPoller({
    round: compareImports,
    intervalMs,
    onError(error) {
      // Reports the first error only, since the poller runs twice a second.
      if (!poller.isStopped && !isFailing) onError(error)
      isFailing = true
    },
  })
  return poller
}
