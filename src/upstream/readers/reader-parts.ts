import type { FairCache } from '../../cache/fair-cache.ts'
import type { Invalidations } from '../../cache/invalidations.ts'
import type { CachedValue } from '../read-stack/value-cache.ts'

/** The parts that all readers of a tenant share. */
export interface ReaderParts {
  /** The tenant that owns the cached values: "acme/live". */
  tenantKey: string
  cache: FairCache<CachedValue>
  invalidations: Invalidations
  now: () => number
}
