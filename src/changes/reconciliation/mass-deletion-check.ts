import { UpstreamError } from '../../errors.ts'
import { countActiveProducts } from '../../storage/catalog/active-products.ts'
import { beginCatalogWalk, readCatalogWalk } from '../../storage/catalog/catalog-walks.ts'
import { countMissingProducts } from '../../storage/catalog/missing-products.ts'
import type { ChangeJobContext } from '../feed/change-job.ts'

/** The number, and the share, of products that may disappear within a day. More looks like a lost right or a half-restored database. */
const MAX_MISSING = 5
const MAX_MISSING_SHARE = 0.02
const WINDOW_MS = 86_400_000
const JOB = 'deletions'

/** Decides whether products that the inventory does not return any more may be deactivated. */
export interface MassDeletionCheck {
  /** `newlyMissing`: the number of products that are missing since the current read, which the store does not know yet. */
  allows(newlyMissing: number): Promise<boolean>
}

export function createMassDeletionCheck(context: ChangeJobContext): MassDeletionCheck {
  const { db, now, tenant, name, parts, backOffice, onError } = context
  let hasStopped = false

  async function stop(missing: number, total: number): Promise<void> {
    const text =
      `${name}: ${missing} of ${total} products disappeared from the inventory within a day. None of them is deactivated. ` +
      `If they were deleted: forecourt mirror accept-deletions ${tenant.merchant} --mode ${tenant.mode}`
    if (!hasStopped) onError(new Error(text))
    hasStopped = true
    await parts.fail('products', JOB, new UpstreamError('invalid', text))
  }

  return {
    async allows(newlyMissing) {
      const walk = await readCatalogWalk(db, tenant)
      if (walk.position !== null) return false
      const acceptedAt = walk.accepted_at ?? ''
      const recent = new Date(now() - WINDOW_MS).toISOString()
      const missing = await countMissingProducts(db, tenant, { acceptedAt, recent })
      const count = missing.active + missing.deactivated + newlyMissing
      if (count > MAX_MISSING) {
        const total = (await countActiveProducts(db, tenant)) + missing.deactivated
        if (count > total * MAX_MISSING_SHARE) {
          await stop(count, total)
          return false
        }
      }
      hasStopped = false
      await parts.succeed('products', JOB, {})
      const walkedAt = walk.ended_at ?? ''
      const decidedAt = acceptedAt > walkedAt ? acceptedAt : walkedAt
      const undecided = await countMissingProducts(db, tenant, { acceptedAt: decidedAt, recent: decidedAt })
      if (undecided.active + undecided.deactivated + newlyMissing <= MAX_MISSING) return true
      // The number in the whole catalog decides.
      await beginCatalogWalk(db, tenant, backOffice.today())
      return false
    },
  }
}
