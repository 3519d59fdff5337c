import type { Config } from '../config/config.ts'
import { isSharedStore } from '../config/store-address.ts'
import { createMirrorErrorLog } from '../operations/mirror-error-log.ts'
import { createUpstreamFailureLog } from '../operations/upstream-failure-log.ts'
import type { Database } from '../storage/database.ts'
import { createSharedTokenBucket } from '../upstream/client/shared-token-bucket.ts'
import { createImportedFitmentPort } from '../upstream/readers/imported-fitment-port.ts'
import { createImportedReferencePort } from '../upstream/readers/imported-reference-port.ts'
import {
  createUpstreamRegistry,
  type UpstreamRegistry,
  type UpstreamRegistryParts,
} from '../upstream/upstream-registry.ts'
import type { Observability } from './observability.ts'
import { logStoreErrors } from './store-watch.ts'

export interface UpstreamSetupParts
  extends Pick<UpstreamRegistryParts, 'adapters' | 'embeddedSystemsFor' | 'pictureUrls' | 'cacheBytes' | 'now'> {
  config: Config
  db: Database
  observability: Observability
}

const NOT_SHARED = 'the calls of a system could not be shared with other processes; each makes a tenth of them'

/** Connects the systems of all merchants, and reports their calls, failures and circuits. */
export function connectUpstreams({ config, db, observability, ...parts }: UpstreamSetupParts): UpstreamRegistry {
  const { logger, tracing, onCall, onCircuitChange } = observability
  const { now = Date.now } = parts
  return createUpstreamRegistry({
    ...parts,
    ...(isSharedStore(config) && {
      tokenBucketFor: (system, perMinute) =>
        createSharedTokenBucket({ db, system, perMinute, now, onError: logStoreErrors(logger, NOT_SHARED, now) }),
    }),
    merchants: config.merchants,
    importedFitmentFor: (tenant) => createImportedFitmentPort(db, tenant),
    importedReferencesFor: (tenant) => createImportedReferencePort(db, tenant),
    onFailure: createUpstreamFailureLog(logger, now),
    onMirrorError: createMirrorErrorLog(logger, now),
    onCall,
    onCircuitChange,
    ...(tracing && { recorderFor: tracing.background }),
  })
}
