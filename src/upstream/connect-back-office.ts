import type { FairCache } from '../cache/fair-cache.ts'
import type { MerchantConfig } from '../config/merchant-config.ts'
import type { SystemsConfig } from '../config/system-config.ts'
import type { Adapter, AdapterPorts, MerchantFacts } from '../ports/adapter.ts'
import type { CircuitName } from '../ports/circuit-name.ts'
import type { FitmentPort } from '../ports/fitment.ts'
import type { PictureKey, PictureUrls } from '../ports/picture.ts'
import type { ReferencePort } from '../ports/reference.ts'
import type { PortName, SourceName } from '../ports/system.ts'
import { type Tenant, tenantKey } from '../tenant.ts'
import { type BackOffice, type BackOfficeParts, createBackOffice } from './back-office.ts'
import { type CallPace, createCallPace } from './client/call-pace.ts'
import { createHttpClient } from './client/http-client.ts'
import { createTokenBucket, type TokenBucket } from './client/token-bucket.ts'
import type { CallPlaces } from './concurrency-limits/call-places.ts'
import { groupPortsBySystem, type SystemWithPorts } from './group-ports-by-system.ts'
import { type Bulkhead, createBulkhead } from './guard/bulkhead.ts'
import { createGuard, type FailureListener, type GuardLimits, guardDefaults } from './guard/guard.ts'
import type { GuardedPort } from './guard/guarded-port.ts'
import type { FailureCount } from './guard/recent-failure-kinds.ts'
import { createStoreReadRunner } from './guard/store-read-runner.ts'
import type { CatalogMirror } from './mirror/catalog-mirror.ts'
import { withMirror } from './mirror/mirrored-back-office.ts'
import type { CachedValue } from './read-stack/value-cache.ts'
import type { CallTrace } from './request/call-trace.ts'
import type { TraceRecorder } from './request/trace-recorder.ts'

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
  /** Creates the bucket for the calls of a system, which other processes may share. Absent: this process has its own. */
  tokenBucketFor?(system: string, perMinute: number): TokenBucket & Partial<AsyncDisposable>
  /** Returns the places for the calls of a system, which other processes may share. Absent: this process has all of them. */
  callPlacesFor?(system: string, size: number): CallPlaces
  guardLimits?: Partial<GuardLimits>
  onFailure?: FailureListener
  /** Receives each call to a system when it has ended. */
  onCall?(tenant: Tenant, call: CallTrace): void
  /** Runs when a circuit opens, and when it has closed again. */
  onCircuitChange?(
    tenant: Tenant,
    circuit: CircuitName,
    state: 'open' | 'closed',
    failures: readonly FailureCount[],
  ): void
  /** Records a tenant's calls that belong to no request's trace. */
  recorderFor?(tenant: Tenant): TraceRecorder
  now?: () => number
}

export interface BackOfficeConnector extends AsyncDisposable {
  /** `mirror`: the mirror of the tenant's catalog, for a merchant that has one. */
  connect(tenant: Tenant, merchant: MerchantConfig, configured: SystemsConfig, mirror: CatalogMirror): BackOffice
}

/** The ports of a tenant's systems, each behind its guards. */
type ConnectedPorts = { [P in PortName]?: GuardedPort<Required<AdapterPorts>[P]> }

const monotonicNow = () => performance.now()

/** The default concurrency of searches. Slow searches leave the other half of the places to the system's other calls. */
const halfOf = (concurrency: number) => Math.max(1, Math.floor(concurrency / 2))

/** Connects a tenant's systems: a client, a guard and a port for each. Closes all clients when it is disposed. */
export function createBackOfficeConnector(
  cache: FairCache<CachedValue>,
  { now = Date.now, ...parts }: ConnectionParts,
): BackOfficeConnector {
  const connections: (AsyncDisposable | Disposable)[] = []

  function createGuards(tenant: Tenant, system: PortName, limits: GuardLimits & { searchConcurrency?: number }) {
    const shared = parts.callPlacesFor?.(`${tenantKey(tenant)}/${system}`, limits.concurrency)
    const bulkhead = createBulkhead(limits.concurrency, { shared })
    const createCircuit = (circuit: CircuitName, places: Bulkhead) =>
      createGuard(system, limits, now, {
        tenantKey: tenantKey(tenant),
        circuit,
        bulkhead: places,
        ...(parts.onFailure && { onFailure: parts.onFailure }),
        onCall: (call) => parts.onCall?.(tenant, call),
        onCircuitChange: (state, failures) => parts.onCircuitChange?.(tenant, circuit, state, failures),
        recorder: parts.recorderFor?.(tenant),
      })
    const guard = createCircuit(system, bulkhead)
    const searchPlaces = Math.min(limits.searchConcurrency ?? halfOf(limits.concurrency), limits.concurrency)
    const searchGuard =
      system === 'inventory'
        ? createCircuit('inventory-search', createBulkhead(searchPlaces, { within: bulkhead }))
        : undefined
    connections.push(guard, ...(searchGuard ? [searchGuard] : []))
    return { guard, searchGuard }
  }

  /** Connects one system: one client, with as many sockets as all of its ports may use, and guards for each port. */
  function connectSystem(tenant: Tenant, facts: MerchantFacts, { config, ports }: SystemWithPorts) {
    const adapter = parts.adapters[config.adapter]
    if (!adapter) return {}
    const limited = ports.map((port) => ({
      ...port,
      limits: { ...guardDefaults, ...port.config.limits, ...parts.guardLimits },
    }))
    const client = createHttpClient({
      address: config.address,
      maxSockets: limited.reduce((sum, { limits }) => sum + limits.concurrency, 0),
      maxResponseBytes: Math.max(...ports.map((port) => port.config.maxResponseBytes)),
      pace: paceOf(tenant, ports),
    })
    connections.push(client)
    const names = ports.map(({ name }) => name)
    const connected = adapter.connect(config.settings, client, facts, names)
    return Object.fromEntries(
      limited.flatMap(({ name, limits }) => {
        const port = connected[name]
        return port ? [[name, { port, ...createGuards(tenant, name, limits) }]] : []
      }),
    )
  }

  /** The calls of all ports of a system count together: the owner of a system knows nothing of ports. */
  function paceOf(tenant: Tenant, ports: SystemWithPorts['ports']): CallPace | undefined {
    const limits = ports.flatMap(({ config }) => config.limits.perMinute ?? [])
    if (limits.length === 0) return undefined
    const perMinute = Math.min(...limits)
    const system = `${tenantKey(tenant)}/${ports[0]!.name}`
    const bucket = parts.tokenBucketFor?.(system, perMinute) ?? createTokenBucket(perMinute, monotonicNow)
    if (Symbol.asyncDispose in bucket) connections.push(bucket as AsyncDisposable)
    return createCallPace({ perMinute, bucket, now: monotonicNow })
  }

  const connectPorts = (tenant: Tenant, facts: MerchantFacts, configured: SystemsConfig): ConnectedPorts =>
    Object.assign({}, ...groupPortsBySystem(configured).map((system) => connectSystem(tenant, facts, system)))

  function connectImportedFitment(tenant: Tenant): BackOfficeParts['fitment'] {
    const port = parts.importedFitmentFor?.(tenant)
    if (!port) return undefined
    return { port, runner: runOnStore(tenant, 'fitment') }
  }

  const runOnStore = (tenant: Tenant, source: SourceName) =>
    createStoreReadRunner({
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
      const { fitment: fitmentSystem, ...ports } = connectPorts(tenant, facts, configured)
      // Without a source of its own, vehicle fitment comes from the inventory.
      const fitment =
        configured.fitment === 'imported'
          ? connectImportedFitment(tenant)
          : fitmentSystem && { ...fitmentSystem, runner: fitmentSystem.guard }
      const references = parts.importedReferencesFor?.(tenant)
      const backOffice = createBackOffice({
        tenantKey: tenantKey(tenant),
        timeZone: merchant.timeZone,
        bandLimits: merchant.bands,
        cache,
        now,
        ...ports,
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
