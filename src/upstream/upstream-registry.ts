import { createFairCache } from '../cache/fair-cache.ts'
import type { MerchantConfig } from '../config/merchant-config.ts'
import type { SystemsConfig } from '../config/system-config.ts'
import { type CircuitName, toCircuitSystem } from '../ports/circuit-name.ts'
import type { PortName } from '../ports/system.ts'
import { type Mode, modes, type Tenant, tenantKey } from '../tenant.ts'
import type { BackOffice } from './back-office.ts'
import { type ConnectionParts, createBackOfficeConnector } from './connect-back-office.ts'
import type { BreakerState, CircuitHold } from './guard/circuit-breaker.ts'
import type { SharedCircuit } from './guard/shared-circuit.ts'
import type { CatalogMirror } from './mirror/catalog-mirror.ts'
import { createMirrorSlot } from './mirror/mirror-slot.ts'
import type { CachedValue } from './read-stack/value-cache.ts'

export interface TenantUpstream {
  tenant: Tenant
  merchant: MerchantConfig
  backOffice: BackOffice
  /** The merchant's catalog is mirrored on this machine. */
  hasMirror: boolean
  /** Reads use the mirror from now on; `null`: they no longer do. */
  setMirror(mirror: CatalogMirror | null): void
}

export interface CircuitOfTenant extends Tenant {
  system: PortName
  circuit: CircuitName
  state: BreakerState
  held: CircuitHold | null
  /** The system rejected every recent call of this process. */
  rejectsCalls: boolean
}

export interface UpstreamRegistry extends AsyncDisposable {
  /** `null`: the merchant is not configured, or has no sandbox. */
  forTenant(tenant: Tenant): TenantUpstream | null
  /** The circuits of all systems of all tenants. */
  states(): CircuitOfTenant[]
  /** The same circuits by name ("acme/live/pricing"), for the code that shares their states with other processes. */
  sharedCircuits(): Map<string, SharedCircuit>
  /** Holds a circuit open or closed; `null` ends the hold. Returns false if there is no such circuit. */
  hold(tenant: Tenant, circuit: CircuitName, hold: CircuitHold | null): boolean
  /** Purges cached values: of these SKUs or (`null`) all, of one merchant or all, in one mode or both. Returns the tenants it purged. */
  purge(of: { merchant?: string | undefined; mode?: Mode | undefined; skus: readonly string[] | null }): Tenant[]
  /** Bytes of cached values, of all tenants. */
  readonly bytes: number
}

export interface UpstreamRegistryParts extends ConnectionParts {
  merchants: readonly MerchantConfig[]
  /** The systems of a merchant's sandbox keys, where its configuration names none. `null`: its sandbox keys are refused. */
  embeddedSystemsFor(merchant: string): SystemsConfig | null
  cacheBytes: number
}

/** The back offices of all tenants, connected. */
export function createUpstreamRegistry(parts: UpstreamRegistryParts): UpstreamRegistry {
  const cache = createFairCache<CachedValue>(parts.cacheBytes)
  const connector = createBackOfficeConnector(cache, parts)
  const upstreams = new Map<string, TenantUpstream>()
  for (const merchant of parts.merchants) {
    for (const mode of modes) {
      const tenant = { merchant: merchant.merchant, mode }
      const configured = mode === 'live' ? merchant.live : sandboxSystems(merchant)
      if (!configured) continue
      const slot = createMirrorSlot()
      upstreams.set(tenantKey(tenant), {
        tenant,
        merchant,
        backOffice: connector.connect(tenant, merchant, configured, slot.mirror),
        hasMirror: Boolean(merchant.mirror),
        setMirror: slot.set,
      })
    }
  }

  function sandboxSystems({ merchant, sandbox, sandboxFitment }: MerchantConfig): SystemsConfig | null {
    const embedded = sandbox ? null : parts.embeddedSystemsFor(merchant)
    return embedded ? { ...embedded, ...(sandboxFitment && { fitment: sandboxFitment }) } : sandbox
  }

  return {
    forTenant: (tenant) => upstreams.get(tenantKey(tenant)) ?? null,
    states: () =>
      [...upstreams.values()].flatMap(({ tenant, backOffice }) => {
        const holds = backOffice.holds()
        const rejecting = backOffice.rejectingSystems()
        const states = Object.entries(backOffice.states()) as [CircuitName, BreakerState][]
        return states.map(([circuit, state]) => ({
          ...tenant,
          system: toCircuitSystem(circuit),
          circuit,
          state,
          held: holds[circuit] ?? null,
          rejectsCalls: rejecting[circuit] ?? false,
        }))
      }),
    sharedCircuits: () =>
      new Map(
        [...upstreams].flatMap(([key, { backOffice }]) =>
          Object.entries(backOffice.circuits()).map(([circuit, shared]) => [`${key}/${circuit}`, shared] as const),
        ),
      ),
    hold: (tenant, circuit, hold) => upstreams.get(tenantKey(tenant))?.backOffice.hold(circuit, hold) ?? false,
    purge({ merchant, mode, skus }) {
      const purged = [...upstreams.values()].filter(
        ({ tenant }) =>
          (merchant === undefined || merchant === tenant.merchant) && (mode === undefined || mode === tenant.mode),
      )
      for (const { backOffice } of purged) backOffice.purge(skus)
      return purged.map(({ tenant }) => tenant)
    },
    get bytes() {
      return cache.bytes
    },
    [Symbol.asyncDispose]: () => connector[Symbol.asyncDispose](),
  }
}
