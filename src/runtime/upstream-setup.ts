import type { Config } from '../config/config.ts'
import { isSharedStore } from '../config/store-address.ts'
import { createMirrorErrorLog } from '../operations/mirror-error-log.ts'
import { createUpstreamFailureLog } from '../operations/upstream-failure-log.ts'
import type { Database } from '../storage/database.ts'
import { createSharedTokenBucket } from '../upstream/client/shared-token-bucket.ts'
import { createCallPlacePool } from '../upstream/concurrency-limits/cross-process-place-pool.ts'
import { createImportedFitmentPort } from '../upstream/readers/imported-fitment-port.ts'
import { createImportedReferencePort } from '../upstream/readers/imported-reference-port.ts'
import {
  createUpstreamRegistry,
  type UpstreamRegistry,
  type UpstreamRegistryParts,
} from '../upstream/upstream-registry.ts'
import { logJobErrors } from './log-job-errors.ts'
import type { Observability } from './observability.ts'

export interface UpstreamSetupParts
  extends Pick<UpstreamRegistryParts, 'adapters' | 'embeddedSystemsFor' | 'pictureUrls' | 'cacheBytes' | 'now'> {
  config: Config
  db: Database
  observability: Observability
  stack: AsyncDisposableStack
}

const NOT_SHARED = 'the calls of a system could not be shared with other processes; each makes a tenth of them'
const NO_PLACES = 'the places for calls to systems could not be shared with other processes; each keeps those it has'

/** Connects the systems of all merchants, and reports their calls, failures and circuits. */
export function connectUpstreams({ config, db, observability, stack, ...parts }: UpstreamSetupParts): UpstreamRegistry {
  const { logger, tracing, onCall, onCircuitChange } = observability
  const { now = Date.now } = parts
  const registry = createUpstreamRegistry({
    ...parts,
    ...(isSharedStore(config) && shareLimits({ db, logger, stack, now })),
    merchants: config.merchants,
    importedFitmentFor: (tenant) => createImportedFitmentPort(db, tenant),
    importedReferencesFor: (tenant) => createImportedReferencePort(db, tenant),
    onFailure: createUpstreamFailureLog(logger, now),
    onMirrorError: createMirrorErrorLog(logger, now),
    onCall,
    onCircuitChange,
    ...(tracing && { recorderFor: tracing.background }),
  })
  return stack.use(registry)
}

interface SharedLimitsParts {
  db: Database
  logger: Observability['logger']
  stack: AsyncDisposableStack
  now: () => number
}

/** The limits of systems, for all processes on the store together. */
function shareLimits({ db, logger, stack, now }: SharedLimitsParts) {
  const onError = logJobErrors(logger, NOT_SHARED, now)
  const pool = stack.use(createCallPlacePool({ db, now, onError: logJobErrors(logger, NO_PLACES, now) }))
  return {
    tokenBucketFor: (system: string, perMinute: number) =>
      createSharedTokenBucket({ db, system, perMinute, now, onError }),
    callPlacesFor: pool.placesFor,
  }
}
