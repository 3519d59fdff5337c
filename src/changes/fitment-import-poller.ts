import { startPoller } from '../lifecycle/poller.ts'
import type { Database } from '../storage/database.ts'
import { type FitmentImport, listCurrentFitmentImports } from '../storage/fitment/fitment-imports.ts'
import { tenantOf } from '../storage/tenant-columns.ts'
import { type Tenant, tenantKey } from '../tenant.ts'

export interface FitmentImportPollerParts {
  db: Database
  /** Called for a tenant whose imported fitment has changed. */
  onChanged(tenant: Tenant): void
  onError(error: unknown): void
  /** `null`: rounds run only when `poll` is called. */
  intervalMs?: number | null
}

/** Detects fitment imports, which other processes make. */
export interface FitmentImportPoller extends AsyncDisposable {
  poll(): Promise<void>
}

const INTERVAL_MS = 500

export function createFitmentImportPoller(parts: FitmentImportPollerParts): FitmentImportPoller {
  const { db, onChanged, onError, intervalMs = INTERVAL_MS } = parts
  let known = new Map<string, FitmentImport>()
  let isFailing = false

  async function compareImports(): Promise<void> {
    const imports = await listCurrentFitmentImports(db)
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
