import type { FairCache } from '../cache/fair-cache.ts'
import type { MerchantConfig, SystemConfig, SystemsConfig } from '../config/config.ts'
import type { Adapter, MerchantFacts } from '../ports/adapter.ts'
import type { FitmentPort } from '../ports/fitment.ts'
import type { PictureKey, PictureUrls } from '../ports/picture.ts'
import type { ReferencePort } from '../ports/reference.ts'
import { type CircuitName, type PortName, type SourceName, type System, systems } from '../ports/system.ts'
import { type Tenant, tenantKey } from '../tenant.ts'
import { type BackOffice, type BackOfficeParts, createBackOffice } from './back-office.ts'
import { type Bulkhead, createBulkhead } from './bulkhead.ts'
import type { CallTrace } from './call-trace.ts'
import type { CatalogMirror } from './catalog-mirror.ts'
import { createGuard, type FailureListener, type GuardLimits, guardDefaults } from './guard.ts'
import { createHttpClient } from './http-client.ts'
import { withMirror } from './mirrored-back-office.ts'
import { createStoreCallRunner } from './store-call-runner.ts'
import type { GuardedPort } from './through-guard.ts'
import type { TraceRecorder } from './trace-recorder.ts'
import type { CachedValue } from './value-cache.ts'

export interface ConnectionParts {
  adapters: Readonly<Record<string, Adapter>>
  /** The public addresses of a tenant's picture. */
  pictureUrls(tenant: Tenant, picture: PictureKey): PictureUrls
  /** The fitment that a tenant has imported from a file. */
  importedFitmentFor?(tenant: Tenant): FitmentPort
  /** The references that a tenant has imported from a file. */
  importedReferencesFor?(tenant: Tenant): ReferencePort
  /** Called when the file of a mirror cannot be read. */
  onMirrorError?(tenant: Tenant, error: unknown): void
  guardLimits?: Partial<GuardLimits>
  onFailure?: FailureListener
  /** Receives each call to a system when it has ended. */
  onCall?(tenant: Tenant, call: CallTrace): void
  /** Runs when a circuit opens, and when it has closed again. */
  onCircuitChange?(tenant: Tenant, circuit: CircuitName, state: 'open' | 'closed'): void
  /** Records a tenant's calls that belong to no request's trace. */
  recorderFor?(tenant: Tenant): TraceRecorder
  now?: () => number
}

export interface BackOfficeConnector extends AsyncDisposable {
  /** `mirror`: the mirror of the tenant's catalog, for a merchant that has one. */
  connect(tenant: Tenant, merchant: MerchantConfig, configured: SystemsConfig, mirror: CatalogMirror): BackOffice
}

/** The default concurrency of searches. Slow searches leave the other half of the places to the system's other calls. */
const halfOf = (concurrency: number) => Math.max(1, Math.floor(concurrency / 2))

/** Connects a tenant's systems: a client, a guard and a port for each. Closes all clients when it is disposed. */
export function createBackOfficeConnector(
  cache: FairCache<CachedValue>,
  { now = Date.now, ...parts }: ConnectionParts,
): BackOfficeConnector {
  const connections: (AsyncDisposable | Disposable)[] = []

  function openConnection(tenant: Tenant, system: PortName, config: SystemConfig) {
    const limits = { ...guardDefaults, ...config.limits, ...parts.guardLimits }
    const { address, maxResponseBytes } = config
    const client = createHttpClient({ address, maxSockets: limits.concurrency, maxResponseBytes })
    const bulkhead = createBulkhead(limits.concurrency)
    const createCircuit = (circuit: CircuitName, places: Bulkhead) =>
      createGuard(system, limits, now, {
        tenantKey: tenantKey(tenant),
        circuit,
        bulkhead: places,
        ...(parts.onFailure && { onFailure: parts.onFailure }),
        onCall: (call) => parts.onCall?.(tenant, call),
        onCircuitChange: (state) => parts.onCircuitChange?.(tenant, circuit, state),
        recorder: parts.recorderFor?.(tenant),
      })
    const guard = createCircuit(system, bulkhead)
    const searchPlaces = Math.min(limits.searchConcurrency ?? halfOf(limits.concurrency), limits.concurrency)
    const searchGuard =
      system === 'inventory' ? createCircuit('inventory-search', createBulkhead(searchPlaces, bulkhead)) : undefined
    connections.push(client, guard, ...(searchGuard ? [searchGuard] : []))
    return { client, guard, searchGuard }
  }

  function connectPorts(tenant: Tenant, facts: MerchantFacts, configured: SystemsConfig) {
    const ports: { [S in System]?: GuardedPort<never> } = {}
    for (const system of systems) {
      const config = configured[system]
      const createPort = config && parts.adapters[config.adapter]?.[system]
      if (!config || !createPort) continue
      const { client, ...guards } = openConnection(tenant, system, config)
      ports[system] = { port: createPort(config.settings, client, facts) as never, ...guards }
    }
    return ports
  }

  /** Without a result, vehicles come from the inventory. */
  function connectFitment(
    tenant: Tenant,
    facts: MerchantFacts,
    config: SystemsConfig['fitment'],
  ): BackOfficeParts['fitment'] {
    if (config === 'imported') return connectImportedFitment(tenant)
    const createPort = config && parts.adapters[config.adapter]?.fitment
    if (!config || !createPort) return undefined
    const { client, guard } = openConnection(tenant, 'fitment', config)
    return { port: createPort(config.settings, client, facts), runner: guard, guard }
  }

  function connectImportedFitment(tenant: Tenant): BackOfficeParts['fitment'] {
    const port = parts.importedFitmentFor?.(tenant)
    if (!port) return undefined
    return { port, runner: runOnStore(tenant, 'fitment') }
  }

  const runOnStore = (tenant: Tenant, source: SourceName) =>
    createStoreCallRunner({
      tenantKey: tenantKey(tenant),
      source,
      timeoutMs: guardDefaults.timeoutMs,
      onCall: (call) => parts.onCall?.(tenant, call),
      recorder: parts.recorderFor?.(tenant),
    })

  return {
    connect(tenant, merchant, configured, mirror) {
      const facts: MerchantFacts = {
        merchant: merchant.merchant,
        currency: merchant.currency,
        timeZone: merchant.timeZone,
        now: () => new Date(now()),
        pictureUrls: (picture) => parts.pictureUrls(tenant, picture),
      }
      const fitment = connectFitment(tenant, facts, configured.fitment)
      const references = parts.importedReferencesFor?.(tenant)
      const backOffice = createBackOffice({
        tenantKey: tenantKey(tenant),
        timeZone: merchant.timeZone,
        bandLimits: merchant.bands,
        cache,
        now,
        ...connectPorts(tenant, facts, configured),
        ...(fitment && { fitment }),
        ...(references && { references: { port: references, runner: runOnStore(tenant, 'references') } }),
      })
      if (!merchant.mirror) return backOffice
      return withMirror(backOffice, mirror, {
        maxAgeMs: merchant.mirror.maxAgeMs,
        fitment: { source: fitment ? 'fitment' : 'inventory', hasFormerIds: configured.fitment === 'imported' },
        onError: (error) => parts.onMirrorError?.(tenant, error),
        now,
      })
    },
    async [Symbol.asyncDispose]() {
      // All at once, so that a system that hangs does not delay the others.
      await Promise.all(
        connections.map((one) => (Symbol.asyncDispose in one ? one[Symbol.asyncDispose]() : one[Symbol.dispose]())),
      )
    },
  }
}
