import type { Logger } from 'pino'
import { LISTS_TAG } from '../cache/invalidated-tags.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import type { Diagnostics } from '../diagnostics/diagnostics.ts'
import { throttleLog } from '../lifecycle/log-throttle.ts'
import { followOverrides, type OverrideFollower } from '../operations/override-follower.ts'
import type { Database } from '../storage/database.ts'
import { tenantKey } from '../tenant.ts'
import type { UpstreamRegistry } from '../upstream/upstream-registry.ts'

export interface OperatorOverridesParts {
  db: Database
  upstreams: UpstreamRegistry
  responses: ResponseCache
  diagnostics: Diagnostics
  logger: Logger
  now: () => number
}

/** Applies the operators' holds and purges to the circuits and caches of this process. Resolves when the stored ones are applied. */
export async function followOperatorOverrides(parts: OperatorOverridesParts): Promise<OverrideFollower> {
  const { db, upstreams, responses, diagnostics, logger, now } = parts
  const overrides = followOverrides({
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
    onError: throttleLog((err: unknown) => logger.warn({ err }, 'operator overrides could not be read'), { now }),
  })
  await overrides.poll()
  return overrides
}
