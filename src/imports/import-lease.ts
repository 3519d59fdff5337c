import type { Database } from '../storage/database.ts'
import type { ImportStore } from '../storage/imports/import-store.ts'
import { releaseLeases, takeLease } from '../storage/leases.ts'
import { type Tenant, tenantKey } from '../tenant.ts'

/** Another import of the same tenant is running. */
export class ImportInProgressError extends Error {}

/** The exclusive lease for an import of one tenant. */
export interface ImportLease extends AsyncDisposable {
  /** Renews the lease; call it often. Throws ImportInProgressError when the lease was lost. */
  renew(): Promise<void>
  isHeld(): Promise<boolean>
  /** The active import when this one started, or `null`. */
  readonly replaces: number | null
}

const LEASE_MS = 30_000
const RENEW_MS = 5_000

/** Acquires the lease. One import of a tenant at a time: otherwise the one that finishes first would be lost. */
export async function acquireImportLease(
  { db, now, store }: { db: Database; now: () => number; store: ImportStore<unknown> },
  { source, merchant, mode }: Tenant & { source: string },
  importId: number,
): Promise<ImportLease> {
  const tenant = { merchant, mode }
  const name = `${store.subject}:${tenantKey(tenant)}`
  const holder = String(importId)
  const isoTime = (laterMs = 0) => new Date(now() + laterMs).toISOString()
  const take = () => takeLease(db, name, holder, { now: isoTime(), until: isoTime(LEASE_MS) })
  if (!(await take())) {
    const remedy = `If it was killed, try again in ${LEASE_MS / 1_000} seconds`
    throw new ImportInProgressError(`Another import for ${tenant.merchant} ${tenant.mode} is in progress. ${remedy}`)
  }
  let renewedAt = now()
  const current = await store.findCurrent(db, tenant)
  await store.create(db, tenant, { import_id: importId, source, at: isoTime() })
  return {
    isHeld: take,
    replaces: current?.import_id ?? null,
    async renew() {
      if (now() - renewedAt < RENEW_MS) return
      renewedAt = now()
      if ((await take()) && (await store.touch(db, importId, isoTime()))) return
      throw new ImportInProgressError(
        'Another import has started in the meantime: this one made no progress for too long and was abandoned',
      )
    },
    async [Symbol.asyncDispose]() {
      await store.abandon(db, importId, isoTime())
      await releaseLeases(db, [name], holder, isoTime())
    },
  }
}
