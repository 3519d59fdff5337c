import type { CatalogPartName } from '../../catalog/mirror/file/catalog-part-names.ts'
import { UpstreamError, type UpstreamFailure } from '../../errors.ts'
import {
  addCatalogPart,
  deleteCatalogParts,
  listCatalogParts,
  recordCatalogPart,
} from '../../storage/catalog/catalog-part-states.ts'
import { clearReadTimes } from '../../storage/catalog/price-and-tax-refresh-queries.ts'
import { findOrCreateFeed, restartFeed } from '../../storage/changes/change-feeds.ts'
import type { Database } from '../../storage/database.ts'
import { transactInBackground } from '../../storage/transact-in-background.ts'
import type { Tenant } from '../../tenant.ts'

export interface CatalogPartTrackerParts {
  db: Database
  tenant: Tenant
  now: () => number
  /** Returns whether the systems have a change feed of stock, or of prices. */
  offers: Record<'stock' | 'prices', boolean>
  hasMirror: boolean
}

/** Records how current each part of a tenant's catalog is. Does nothing for a merchant without a mirror. */
export interface CatalogPartTracker {
  /** Prepares the first read of a part by its feed, which starts from the beginning when the mirror was just turned on. */
  start(part: 'products' | 'stock'): Promise<void>
  /** A job has read a part. `asOf`: when the read began, if all changes until then are in the store; `isFilled`: all of the part has been read. */
  succeed(part: CatalogPartName, job: string, read: { asOf?: string; isFilled?: boolean }): Promise<void>
  /** A job could not read a part. A system that the merchant does not have is no failure. */
  fail(part: CatalogPartName, job: string, error: unknown): Promise<void>
  isFilled(part: CatalogPartName): Promise<boolean>
  /** Returns whether a change feed reports changes of this part. */
  hasFeed(part: 'stock' | 'prices'): boolean
  /** A feed of the system was read, or the system does not offer it. */
  setOffered(source: string, isOffered: boolean): void
  /** Increases when products are added or changed. */
  readonly productChanges: number
  addProductChanges(count: number): void
}

export function createCatalogPartTracker(parts: CatalogPartTrackerParts): CatalogPartTracker {
  const { db, tenant, now, offers, hasMirror } = parts
  const failing = new Map<CatalogPartName, Map<string, { failure: UpstreamFailure; since: string }>>()
  const filled = new Set<CatalogPartName>()
  const notOffered = new Set<string>()
  let isLoaded = false
  let productChanges = 0
  const instant = () => new Date(now()).toISOString()
  const failuresOf = (part: CatalogPartName) => failing.get(part) ?? failing.set(part, new Map()).get(part)!

  async function loadFilled(): Promise<void> {
    if (isLoaded) return
    for (const { name, filledAt } of await listCatalogParts(db, tenant)) if (filledAt !== null) filled.add(name)
    isLoaded = true
  }

  async function record(part: CatalogPartName, state: { asOf?: string; filledAt?: string }): Promise<void> {
    const [first = null] = failuresOf(part).values()
    await recordCatalogPart(db, tenant, part, { at: instant(), ...state, failing: first })
  }

  return {
    async start(part) {
      if (!hasMirror) return deleteCatalogParts(db, tenant)
      const at = instant()
      const feed = { ...tenant, source: part }
      await findOrCreateFeed(db, feed, at)
      await transactInBackground(db, tenant, async (transaction) => {
        if (!(await addCatalogPart(transaction, tenant, part))) return
        await restartFeed(transaction, feed)
        if (part === 'products') await clearReadTimes(transaction, tenant)
      })
    },
    async succeed(part, job, { asOf, isFilled = false }) {
      if (!hasMirror) return
      await loadFilled()
      const hadFailed = failuresOf(part).delete(job)
      const isNew = isFilled && !filled.has(part)
      if (asOf === undefined && !isNew && !hadFailed) return
      await record(part, { ...(asOf !== undefined && { asOf }), ...(isNew && { filledAt: instant() }) })
      if (!isNew) return
      filled.add(part)
      // The other parts may be complete from now on.
      productChanges += 1
    },
    async fail(part, job, error) {
      if (!hasMirror || !(error instanceof UpstreamError)) return
      if (error.failure === 'not_configured' || error.failure === 'aborted') return
      const since = failuresOf(part).get(job)?.since ?? instant()
      failuresOf(part).set(job, { failure: error.failure, since })
      await record(part, {})
    },
    async isFilled(part) {
      await loadFilled()
      return filled.has(part)
    },
    hasFeed: (part) => offers[part] && !notOffered.has(part),
    setOffered(source, isOffered) {
      if (isOffered) notOffered.delete(source)
      else notOffered.add(source)
    },
    get productChanges() {
      return productChanges
    },
    addProductChanges(count) {
      productChanges += count
    },
  }
}
