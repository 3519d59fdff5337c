import { UpstreamError } from '../../errors.ts'
import { moveCatalogCopy, readCatalogCopy } from '../../storage/catalog/catalog-copy-progress.ts'
import {
  clearCatalogPart,
  listCatalogParts,
  markCatalogPartFailing,
  markCatalogPartRead,
} from '../../storage/catalog/catalog-part-states.ts'
import { resetFitmentReads } from '../../storage/catalog/due-fitment-reads.ts'
import { transactInBackground } from '../../storage/transact-in-background.ts'
import type { ChangeJob, ChangeJobContext } from '../feed/change-job.ts'
import { copyImport } from './copy-import.ts'
import { createImportedFitmentCopy } from './imported-fitment-copy.ts'
import { markCatalogPartCopied } from './mark-catalog-part-copied.ts'
import { readSystemFitments, removeUnusedVehicles } from './system-fitment-copy.ts'

/** The sources of a copy that are no import. */
const SYSTEM = 'system'
const NONE = 'none'
const SWEEP_INTERVAL_MS = 3_600_000

/** Creates the job that copies vehicles and fitment into the tenant's catalog, from an import or from the system that knows them. */
export function createFitmentCopyJob(context: ChangeJobContext): ChangeJob {
  const { db, tenant, now } = context
  const importCopy = createImportedFitmentCopy(context)
  const instant = () => new Date(now()).toISOString()

  /** Starts from the beginning when another source of fitment is configured. */
  async function prepareSource(kind: string | null): Promise<void> {
    const copy = await readCatalogCopy(db, tenant, 'fitment')
    const isSame =
      kind === null ? copy !== null && copy.source !== SYSTEM && copy.source !== NONE : copy?.source === kind
    if (isSame || (copy === null && kind === null)) return
    await transactInBackground(db, tenant, async (transaction) => {
      const next = { source: kind ?? '', position: kind === null ? JSON.stringify({ step: 0, after: '' }) : instant() }
      if (!(await moveCatalogCopy(transaction, tenant, 'fitment', copy, next))) return
      await clearCatalogPart(transaction, tenant, 'vehicles')
      if (kind === SYSTEM) await resetFitmentReads(transaction, tenant)
    })
  }

  async function copyFromSystem(): Promise<void> {
    const at = instant()
    try {
      const isComplete = await readSystemFitments(context)
      if (!context.canContinue()) return
      if (isComplete) await markCatalogPartCopied(db, tenant, 'vehicles', at)
      else await markCatalogPartRead(db, tenant, 'vehicles', at)
    } catch (error) {
      if (error instanceof UpstreamError) await markFailing(error, at)
      throw error
    }
    await sweepAtTimes()
  }

  async function markFailing({ failure }: UpstreamError, at: string): Promise<void> {
    if (failure === 'aborted') return
    const part = (await listCatalogParts(db, tenant)).find(({ name }) => name === 'vehicles')
    await markCatalogPartFailing(db, tenant, 'vehicles', failure, part?.failingSince ?? at)
  }

  /** The position of a system's copy is the time of the last sweep. */
  async function sweepAtTimes(): Promise<void> {
    const copy = await readCatalogCopy(db, tenant, 'fitment')
    if (copy?.source !== SYSTEM || now() - Date.parse(copy.position ?? '') < SWEEP_INTERVAL_MS) return
    await moveCatalogCopy(db, tenant, 'fitment', copy, { ...copy, position: instant() })
    await removeUnusedVehicles(context)
  }

  async function run(): Promise<void> {
    const { fitmentSource } = context.backOffice.changes
    if (fitmentSource === null) return prepareSource(NONE)
    if (fitmentSource === 'system') {
      await prepareSource(SYSTEM)
      return copyFromSystem()
    }
    const at = instant()
    await prepareSource(null)
    if (await copyImport(context, importCopy)) await markCatalogPartCopied(db, tenant, 'vehicles', at)
  }

  return { name: 'fitment', system: 'inventory', run }
}
