import type { Config } from '../config/config.ts'
import { createMirrorErrorLog } from '../operations/mirror-error-log.ts'
import { createUpstreamFailureLog } from '../operations/upstream-failure-log.ts'
import type { Database } from '../storage/database.ts'
import { createImportedFitmentPort } from '../upstream/readers/imported-fitment-port.ts'
import { createImportedReferencePort } from '../upstream/readers/imported-reference-port.ts'
import {
  createUpstreamRegistry,
  type UpstreamRegistry,
  type UpstreamRegistryParts,
} from '../upstream/upstream-registry.ts'
import type { Observability } from './observability.ts'

export interface UpstreamSetupParts
  extends Pick<UpstreamRegistryParts, 'adapters' | 'embeddedSystemsFor' | 'pictureUrls' | 'cacheBytes' | 'now'> {
  config: Config
  db: Database
  observability: Observability
}

/** Connects the systems of all merchants, and reports their calls, failures and circuits. */
export function connectUpstreams({ config, db, observability, ...parts }: UpstreamSetupParts): UpstreamRegistry {
  const { logger, tracing, onCall, onCircuitChange } = observability
  return createUpstreamRegistry({
    ...parts,
    merchants: config.merchants,
    importedFitmentFor: (tenant) => createImportedFitmentPort(db, tenant),
    importedReferencesFor: (tenant) => createImportedReferencePort(db, tenant),
    onFailure: createUpstreamFailureLog(logger, parts.now ?? Date.now),
    onMirrorError: createMirrorErrorLog(logger, parts.now ?? Date.now),
    onCall,
    onCircuitChange,
    ...(tracing && { recorderFor: tracing.background }),
  })
}
