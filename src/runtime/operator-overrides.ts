import type { Logger } from 'pino'
import { LISTS_TAG } from '../cache/invalidation.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import type { Diagnostics } from '../diagnostics/diagnostics.ts'
import { followOverrides, type OverrideFollower } from '../operations/override-follower.ts'
import type { Database } from '../storage/database.ts'
import type { UpstreamRegistry } from '../upstream/upstream-registry.ts'

export interface OperatorOverridesParts {
  db: Database
  upstreams: UpstreamRegistry
  responses: ResponseCache
  diagnostics: Diagnostics
  logger: Logger
  now: () => number
}

/** A store that is away fails twice a second. */
const LINE_EVERY_MS = 60_000

/** What operators do by hand, done in this process: circuits are held, and both caches forget. Resolves when what was said before holds. */
export async function followOperatorOverrides({
  upstreams,
  responses,
  diagnostics,
  ...parts
}: OperatorOverridesParts): Promise<OverrideFollower> {
  const { db, logger, now } = parts
  let toldAt = Number.NEGATIVE_INFINITY
  const directives = followOverrides({
    ...{ db, now, hold: upstreams.hold },
    purge(merchant, mode, skus) {
      const of = { merchant: merchant ?? undefined, mode: mode ?? undefined, skus }
      for (const owner of upstreams.purge(of)) {
        const expiries = responses.invalidations(owner)
        if (skus) expiries.invalidate([...skus, LISTS_TAG])
        else expiries.invalidateAll()
      }
    },
    onHoldTransition: ({ merchant, mode, system }, turn, by) =>
      diagnostics.recordCircuitTransition(`${merchant}/${mode}`, system, turn, by),
    onError(err) {
      if (now() - toldAt < LINE_EVERY_MS) return
      toldAt = now()
      logger.warn({ err }, 'what operators say by hand is not heard of')
    },
  })
  await directives.poll()
  return directives
}
