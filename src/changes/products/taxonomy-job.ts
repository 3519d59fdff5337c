import { type CatalogDocumentName, putCatalogDocument } from '../../storage/catalog/catalog-taxonomy.ts'
import { transactInBackground } from '../../storage/transact-in-background.ts'
import type { ChangeJob, ChangeJobContext } from '../feed/change-job.ts'

/** The minimum time between two reads, when products change all the time. */
const MIN_INTERVAL_MS = 5_000

/** Creates the job that reads the categories or the tags: in turns, and soon after products have changed. */
export function createTaxonomyJob(context: ChangeJobContext, name: CatalogDocumentName): ChangeJob {
  const { db, now, tenant, parts, backOffice } = context
  let seenChanges = 0
  let readAtMs = Number.NEGATIVE_INFINITY

  async function readDocument(): Promise<void> {
    const at = new Date(now()).toISOString()
    seenChanges = parts.productChanges
    readAtMs = now()
    const document = JSON.stringify(await backOffice.changes[name](context.requestScope()))
    if (!context.canContinue()) return
    await transactInBackground(db, tenant, (transaction) =>
      putCatalogDocument(transaction, tenant, { name, document }, at),
    )
    await parts.succeed(name, name, { asOf: at, isFilled: true })
  }

  return {
    name,
    system: 'inventory',
    callsSystem: true,
    intervalMs: context.slowIntervalMs,
    hasWork: () => seenChanges !== parts.productChanges && now() - readAtMs >= MIN_INTERVAL_MS,
    async run() {
      try {
        await readDocument()
      } catch (error) {
        await parts.fail(name, name, error)
        throw error
      }
    },
  }
}
