import { createFairCache } from '../cache/fair-cache.ts'
import type { MerchantConfig, Mode, SystemConfig, SystemsConfig } from '../config/config.ts'
import type { Adapter, MerchantFacts } from '../ports/adapter.ts'
import type { FitmentPort } from '../ports/fitment.ts'
import type { PictureKey, PictureUrls } from '../ports/picture.ts'
import { type PortName, type System, systems } from '../ports/system.ts'
import { type BackOffice, type BackOfficeParts, createBackOffice } from './back-office.ts'
import type { CallTrace } from './call-trace.ts'
import type { BreakerState, CircuitHold } from './circuit-breaker.ts'
import { createGuard, type FailureListener, type GuardLimits, guardDefaults } from './guard.ts'
import { createHttpClient } from './http-client.ts'
import type { GuardedPort } from './read-stack.ts'
import { createStoreCallRunner } from './store-call-runner.ts'
import type { TraceRecorder } from './trace-recorder.ts'
import type { CachedValue } from './value-cache.ts'

export interface TenantUpstream {
  merchant: MerchantConfig
  backOffice: BackOffice
}

export interface UpstreamRegistry extends AsyncDisposable {
  forTenant(merchant: string, mode: Mode): TenantUpstream | null
  /** The circuits of all systems that any merchant uses. */
  states(): { merchant: string; mode: Mode; system: PortName; state: BreakerState; held: CircuitHold | null }[]
  /** Holds a circuit open or closed, or lets it go. False: there is no such circuit. */
  hold(merchant: string, mode: Mode, system: PortName, hold: CircuitHold | null): boolean
  /** Forgets what sections have cached: of these SKUs or all, of one merchant or all, in one mode or both. Gives whose it was ("acme/live"). */
  purge(of: { merchant?: string | undefined; mode?: Mode | undefined; skus: readonly string[] | null }): string[]
  readonly bytes: number
}

export interface UpstreamRegistryParts {
  merchants: readonly MerchantConfig[]
  adapters: Readonly<Record<string, Adapter>>
  /** Where a merchant's sandbox keys read when its configuration names no sandbox systems. */
  embeddedSystemsFor(merchant: string): SystemsConfig
  /** Where the API serves a picture of theirs. */
  pictureUrls(owner: { merchant: string; mode: Mode }, picture: PictureKey): PictureUrls
  /** The fitment that was imported for "acme/live". */
  importedFitmentFor?(owner: string): FitmentPort
  cacheBytes: number
  guardLimits?: Partial<GuardLimits>
  onFailure?: FailureListener
  /** Told of each call to a system of "acme/live" when it has ended. */
  onCall?(owner: string, call: CallTrace): void
  /** Told when a circuit opens, and when it has closed again. */
  onCircuitChange?(owner: string, system: PortName, state: 'open' | 'closed'): void
  /** Follows the calls to the systems of "acme/live" that no request's trail does. */
  recorderFor?(owner: string): TraceRecorder
  now?: () => number
}

/** Every merchant's systems, connected: a client, a guard and a breaker for each system of each merchant in each mode. */
export function createUpstreamRegistry(parts: UpstreamRegistryParts): UpstreamRegistry {
  const cache = createFairCache<CachedValue>(parts.cacheBytes)
  const closing: (AsyncDisposable | Disposable)[] = []
  const upstreams = new Map<string, TenantUpstream>()
  for (const merchant of parts.merchants) {
    for (const mode of ['live', 'sandbox'] as const) {
      const configured = mode === 'live' ? merchant.live : sandboxOf(merchant)
      upstreams.set(`${merchant.merchant}/${mode}`, { merchant, backOffice: connect(merchant, mode, configured) })
    }
  }

  function sandboxOf({ merchant, sandbox, sandboxFitment }: MerchantConfig): SystemsConfig {
    if (sandbox) return sandbox
    return { ...parts.embeddedSystemsFor(merchant), ...(sandboxFitment && { fitment: sandboxFitment }) }
  }

  function connect(merchant: MerchantConfig, mode: Mode, configured: SystemsConfig): BackOffice {
    const facts: MerchantFacts = {
      merchant: merchant.merchant,
      currency: merchant.currency,
      timeZone: merchant.timeZone,
      now: () => new Date(now()),
      pictureUrls: (picture) => parts.pictureUrls({ merchant: merchant.merchant, mode }, picture),
    }
    const owner = `${merchant.merchant}/${mode}`
    const now = parts.now ?? Date.now
    const connected: { [S in System]?: GuardedPort<never> } = {}
    for (const system of systems) {
      const config = configured[system]
      const fill = config && parts.adapters[config.adapter]?.[system]
      if (!config || !fill) continue
      const { client, guard } = open(owner, system, config, now)
      connected[system] = { port: fill(config.settings, client, facts) as never, guard }
    }
    const fitment = fitmentOf(configured.fitment, owner, facts, now)
    return createBackOffice({
      ...{ owner, timeZone: merchant.timeZone, bandLimits: merchant.bands, cache, now, ...connected },
      ...(fitment && { fitment }),
    })
  }

  function open(owner: string, system: PortName, config: SystemConfig, now: () => number) {
    const limits = { ...guardDefaults, ...config.limits, ...parts.guardLimits }
    const { address, maxResponseBytes } = config
    const client = createHttpClient({ address, maxSockets: limits.concurrency, maxResponseBytes })
    const { onFailure, onCall, onCircuitChange: onTurn, recorderFor: trailOf } = parts
    const guard = createGuard(system, limits, now, {
      owner,
      ...(onFailure && { onFailure }),
      ...(onCall && { onCall: (call) => onCall(owner, call) }),
      ...(onTurn && { onCircuitChange: (state) => onTurn(owner, system, state) }),
      recorder: trailOf?.(owner),
    })
    closing.push(client, guard)
    return { client, guard }
  }

  /** Nothing: vehicles are the inventory's. */
  function fitmentOf(
    config: SystemsConfig['fitment'],
    owner: string,
    facts: MerchantFacts,
    now: () => number,
  ): BackOfficeParts['fitment'] {
    if (config === 'imported') {
      const port = parts.importedFitmentFor?.(owner)
      const onCall = parts.onCall && ((call: CallTrace) => parts.onCall!(owner, call))
      return (
        port && {
          port,
          runner: createStoreCallRunner(
            `${owner} fitment`,
            guardDefaults.timeoutMs,
            onCall,
            parts.recorderFor?.(owner),
          ),
        }
      )
    }
    const fill = config && parts.adapters[config.adapter]?.fitment
    if (!config || !fill) return undefined
    const { client, guard } = open(owner, 'fitment', config, now)
    return { port: fill(config.settings, client, facts), runner: guard, guard }
  }

  return {
    forTenant: (merchant, mode) => upstreams.get(`${merchant}/${mode}`) ?? null,
    states: () =>
      [...upstreams].flatMap(([owner, { backOffice }]) => {
        const [merchant, mode] = owner.split('/') as [string, Mode]
        const holds = backOffice.holds()
        return Object.entries(backOffice.states()).map(([system, state]) => ({
          ...{ merchant, mode, system: system as PortName, state: state! },
          held: holds[system as PortName] ?? null,
        }))
      }),
    hold: (merchant, mode, system, hold) =>
      upstreams.get(`${merchant}/${mode}`)?.backOffice.hold(system, hold) ?? false,
    purge({ merchant, mode, skus }) {
      const meant = [...upstreams].filter(([owner]) => {
        const [whose, which] = owner.split('/')
        return (merchant === undefined || merchant === whose) && (mode === undefined || mode === which)
      })
      for (const [, { backOffice }] of meant) backOffice.purge(skus)
      return meant.map(([owner]) => owner)
    },
    get bytes() {
      return cache.bytes
    },
    async [Symbol.asyncDispose]() {
      // Side by side: a system that does not answer any more keeps none of the others waiting.
      const closed = closing.map((part) =>
        Symbol.asyncDispose in part ? part[Symbol.asyncDispose]() : part[Symbol.dispose](),
      )
      await Promise.all(closed)
    },
  }
}
