import { UpstreamError } from '../errors.ts'
import { countActiveProducts } from '../storage/catalog/active-products.ts'
import { beginCatalogWalk, readCatalogWalk } from '../storage/catalog/catalog-walks.ts'
import { countMissingProducts } from '../storage/catalog/missing-products.ts'
import type { FeedContext } from './change-source.ts'

/** So many products may disappear within a day, or this share of all: more looks like a lost right or a half-restored database. */
const MAX_MISSING = 5
const MAX_MISSING_SHARE = 0.02
const WINDOW_MS = 86_400_000
const JOB = 'deletions'

/** Decides whether products that the inventory does not return any more may be deactivated. */
export interface DeletionCheck {
  /** `missingSince`: RFC 3339, of each product that would be deactivated. */
  allows(missingSince: readonly string[]): Promise<boolean>
}

export function createDeletionCheck(context: FeedContext): DeletionCheck {
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
    async allows(missingSince) {
      const walk = await readCatalogWalk(db, tenant)
      if (walk.position !== null) return false
      const acceptedAt = walk.accepted_at ?? ''
      const recent = new Date(now() - WINDOW_MS).toISOString()
      const missing = await countMissingProducts(db, tenant, { acceptedAt, recent })
      const count = missing.active + missing.deactivated
      if (count > MAX_MISSING) {
        const total = (await countActiveProducts(db, tenant)) + missing.deactivated
        if (count > total * MAX_MISSING_SHARE) {
          await stop(count, total)
          return false
        }
      }
      hasStopped = false
      await parts.succeed('products', JOB, {})
      const known = acceptedAt > (walk.ended_at ?? '') ? acceptedAt : (walk.ended_at ?? '')
      if (missingSince.filter((since) => since > known).length <= MAX_MISSING) return true
      // Many at once: the number in the whole catalog decides.
      await beginCatalogWalk(db, tenant, backOffice.today())
      return false
    },
  }
}
