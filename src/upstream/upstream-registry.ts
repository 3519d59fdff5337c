import { createFairCache } from '../cache/fair-cache.ts'
import type { MerchantConfig, Mode, SystemConfig, SystemsConfig } from '../config/config.ts'
import type { Adapter, MerchantFacts } from '../ports/adapter.ts'
import type { FitmentPort } from '../ports/fitment.ts'
import type { PictureKey, PictureUrls } from '../ports/picture.ts'
import { type Source, type System, systems } from '../ports/system.ts'
import { type BackOffice, type BackOfficeParts, createBackOffice, type Guarded } from './back-office.ts'
import type { BreakerState, Hold } from './circuit-breaker.ts'
import type { CallTrace } from './call-trace.ts'
import { createClient } from './http-client.ts'
import { createGuard, type GuardLimits, guardDefaults, type OnFailure } from './guard.ts'
import type { Kept } from './cached-loader.ts'
import { createStoreRunner } from './store-call-runner.ts'
import type { Trail } from './trace-recorder.ts'

export interface Office {
  merchant: MerchantConfig
  office: BackOffice
}

export interface Offices extends AsyncDisposable {
  of(merchant: string, mode: Mode): Office | null
  /** The circuits of all systems that any merchant uses. */
  states(): { merchant: string; mode: Mode; system: Source; state: BreakerState; held: Hold | null }[]
  /** Holds a circuit open or closed, or lets it go. False: there is no such circuit. */
  hold(merchant: string, mode: Mode, system: Source, hold: Hold | null): boolean
  /** Forgets what sections have cached: of these SKUs or all, of one merchant or all, in one mode or both. Gives whose it was ("acme/live"). */
  purge(of: { merchant?: string | undefined; mode?: Mode | undefined; skus: readonly string[] | null }): string[]
  readonly bytes: number
}

export interface OfficesParts {
  merchants: readonly MerchantConfig[]
  adapters: Readonly<Record<string, Adapter>>
  /** Where a merchant's sandbox keys read when its configuration names no sandbox systems. */
  embedded(merchant: string): SystemsConfig
  /** Where the API serves a picture of theirs. */
  pictureUrls(owner: { merchant: string; mode: Mode }, picture: PictureKey): PictureUrls
  /** The fitment that was imported for "acme/live". */
  imported?(owner: string): FitmentPort
  cacheBytes: number
  guardLimits?: Partial<GuardLimits>
  onFailure?: OnFailure
  /** Told of each call to a system of "acme/live" when it has ended. */
  onCall?(owner: string, call: CallTrace): void
  /** Told when a circuit opens, and when it has closed again. */
  onTurn?(owner: string, system: Source, state: 'open' | 'closed'): void
  /** Follows the calls to the systems of "acme/live" that no request's trail does. */
  trailOf?(owner: string): Trail
  now?: () => number
}

/** Every merchant's systems, connected: a client, a guard and a breaker for each system of each merchant in each mode. */
export function createOffices(parts: OfficesParts): Offices {
  const cache = createFairCache<Kept>(parts.cacheBytes)
  const closing: (AsyncDisposable | Disposable)[] = []
  const offices = new Map<string, Office>()
  for (const merchant of parts.merchants) {
    for (const mode of ['live', 'sandbox'] as const) {
      const configured = mode === 'live' ? merchant.live : sandboxOf(merchant)
      offices.set(`${merchant.merchant}/${mode}`, { merchant, office: connect(merchant, mode, configured) })
    }
  }

  function sandboxOf({ merchant, sandbox, sandboxFitment }: MerchantConfig): SystemsConfig {
    if (sandbox) return sandbox
    return { ...parts.embedded(merchant), ...(sandboxFitment && { fitment: sandboxFitment }) }
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
    const connected: { [S in System]?: Guarded<never> } = {}
    for (const system of systems) {
      const config = configured[system]
      const fill = config && parts.adapters[config.adapter]?.[system]
      if (!config || !fill) continue
      const { client, guard } = open(owner, system, config, now)
      connected[system] = { port: fill(config.settings, client, facts) as never, guard }
    }
    const fitment = fitmentOf(configured.fitment, owner, facts, now)
    return createBackOffice({
      ...{ owner, timeZone: merchant.timeZone, bands: merchant.bands, cache, now, ...connected },
      ...(fitment && { fitment }),
    })
  }

  function open(owner: string, system: Source, config: SystemConfig, now: () => number) {
    const limits = { ...guardDefaults, ...config.limits, ...parts.guardLimits }
    const { address, maxResponseBytes } = config
    const client = createClient({ address, maxSockets: limits.concurrency, maxResponseBytes })
    const { onFailure, onCall, onTurn, trailOf } = parts
    const guard = createGuard(system, limits, now, {
      owner,
      ...(onFailure && { onFailure }),
      ...(onCall && { onCall: (call) => onCall(owner, call) }),
      ...(onTurn && { onTurn: (state) => onTurn(owner, system, state) }),
      trail: trailOf?.(owner),
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
      const port = parts.imported?.(owner)
      const onCall = parts.onCall && ((call: CallTrace) => parts.onCall!(owner, call))
      return (
        port && {
          port,
          runner: createStoreRunner(`${owner} fitment`, guardDefaults.timeoutMs, onCall, parts.trailOf?.(owner)),
        }
      )
    }
    const fill = config && parts.adapters[config.adapter]?.fitment
    if (!config || !fill) return undefined
    const { client, guard } = open(owner, 'fitment', config, now)
    return { port: fill(config.settings, client, facts), runner: guard, guard }
  }

  return {
    of: (merchant, mode) => offices.get(`${merchant}/${mode}`) ?? null,
    states: () =>
      [...offices].flatMap(([owner, { office }]) => {
        const [merchant, mode] = owner.split('/') as [string, Mode]
        const holds = office.holds()
        return Object.entries(office.states()).map(([system, state]) => ({
          ...{ merchant, mode, system: system as Source, state: state! },
          held: holds[system as Source] ?? null,
        }))
      }),
    hold: (merchant, mode, system, hold) => offices.get(`${merchant}/${mode}`)?.office.hold(system, hold) ?? false,
    purge({ merchant, mode, skus }) {
      const meant = [...offices].filter(([owner]) => {
        const [whose, which] = owner.split('/')
        return (merchant === undefined || merchant === whose) && (mode === undefined || mode === which)
      })
      for (const [, { office }] of meant) office.purge(skus)
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
