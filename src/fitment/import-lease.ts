import type { Database } from '../storage/database.ts'
import {
  abandonFitmentImport,
  createFitmentImport,
  type FitmentOwner,
  findCurrentFitmentImport,
  touchFitmentImport,
} from '../storage/fitment/fitment-imports.ts'
import { releaseLeases, takeLease } from '../storage/leases.ts'

/** Somebody else is importing for the same merchant and mode. */
export class ImportInProgressError extends Error {}

/** The right to import for a merchant and mode, and the import that it is used for. */
export interface ImportLease extends AsyncDisposable {
  /** To be called often. Throws ImportUnderWay when the right was lost. */
  renew(): Promise<void>
  isHeld(): Promise<boolean>
  /** The import that was in force as this one began; `null`: none. */
  readonly replaces: number | null
}

const LEASE_MS = 30_000
const RENEW_MS = 5_000

/** At most one import of a merchant and mode at a time: two would not be mixed, but the one that is done first would be lost. */
export async function acquireImportLease(
  { db, now }: { db: Database; now: () => number },
  of: FitmentOwner & { source: string },
  importId: number,
): Promise<ImportLease> {
  const { tenant_id, mode, source } = of
  const name = `fitment:${tenant_id}/${mode}`
  const holder = String(importId)
  const iso = (laterMs = 0) => new Date(now() + laterMs).toISOString()
  const take = () => takeLease(db, name, holder, { now: iso(), until: iso(LEASE_MS) })
  if (!(await take())) {
    const remedy = `If it was killed, try again in ${LEASE_MS / 1_000} seconds`
    throw new ImportInProgressError(`Another import for ${tenant_id} ${mode} is under way. ${remedy}`)
  }
  let renewedAt = now()
  const current = await findCurrentFitmentImport(db, { tenant_id, mode })
  await createFitmentImport(db, { tenant_id, mode }, { import_id: importId, source, at: iso() })
  return {
    isHeld: take,
    replaces: current?.import_id ?? null,
    async renew() {
      if (now() - renewedAt < RENEW_MS) return
      renewedAt = now()
      if ((await take()) && (await touchFitmentImport(db, importId, iso()))) return
      throw new ImportInProgressError(
        'Another import has begun meanwhile: this one stood still for too long, and is given up',
      )
    },
    async [Symbol.asyncDispose]() {
      await abandonFitmentImport(db, importId, iso())
      await releaseLeases(db, [name], holder, iso())
    },
  }
}
