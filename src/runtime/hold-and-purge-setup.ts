import type { Logger } from 'pino'
import { LISTS_TAG } from '../cache/invalidations.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import type { Diagnostics } from '../diagnostics/diagnostics.ts'
import { throttleLog } from '../lifecycle/log-throttle.ts'
import { createHoldAndPurgeFollower, type HoldAndPurgeFollower } from '../operations/hold-and-purge-follower.ts'
import type { Database } from '../storage/database.ts'
import { tenantKey } from '../tenant.ts'
import type { UpstreamRegistry } from '../upstream/upstream-registry.ts'

export interface HoldAndPurgeSetupParts {
  db: Database
  upstreams: UpstreamRegistry
  responses: ResponseCache
  diagnostics: Diagnostics
  logger: Logger
  now: () => number
}

/** Applies the operators' holds and purges to the circuits and caches of this process. Resolves when the stored ones are applied. */
export async function followHoldsAndPurges(parts: HoldAndPurgeSetupParts): Promise<HoldAndPurgeFollower> {
  const { db, upstreams, responses, diagnostics, logger, now } = parts
  const holdsAndPurges = createHoldAndPurgeFollower({
    db,
    now,
    hold: upstreams.hold,
    purge(merchant, mode, skus) {
      const selection = { merchant: merchant ?? undefined, mode: mode ?? undefined, skus }
      for (const tenant of upstreams.purge(selection)) {
        const invalidations = responses.invalidations(tenantKey(tenant))
        if (skus) invalidations.invalidate([...skus, LISTS_TAG])
        else invalidations.invalidateAll()
      }
    },
    onHoldTransition: (key, transition, by) =>
      diagnostics.recordCircuitTransition(key, key.circuit, transition, { by }),
    // An unreachable store fails twice a second.
    onError: throttleLog((err: unknown) => logger.warn({ err }, 'holds and purges could not be read'), { now }),
  })
  await holdsAndPurges.poll()
  return holdsAndPurges
}
