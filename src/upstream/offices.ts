import { createFairCache } from '../catalog/fair-cache.ts'
import type { MerchantConfig, Mode, SystemsConfig } from '../config.ts'
import type { Adapter, MerchantFacts } from '../ports/adapter.ts'
import { type System, systems } from '../ports/system.ts'
import { type BackOffice, createBackOffice, type Guarded } from './back-office.ts'
import type { BreakerState } from './breaker.ts'
import { createClient } from './client.ts'
import { createGuard, type GuardLimits, guardDefaults, type OnFailure } from './guard.ts'
import type { Kept } from './loader.ts'

export interface Office {
  merchant: MerchantConfig
  office: BackOffice
}

export interface Offices extends AsyncDisposable {
  of(merchant: string, mode: Mode): Office | null
  /** The circuits of all systems that any merchant uses. */
  states(): { merchant: string; mode: Mode; system: System; state: BreakerState }[]
  readonly bytes: number
}

export interface OfficesParts {
  merchants: readonly MerchantConfig[]
  adapters: Readonly<Record<string, Adapter>>
  /** Where a merchant's sandbox keys read when its configuration names no sandbox systems. */
  embedded(merchant: string): SystemsConfig
  cacheBytes: number
  guardLimits?: Partial<GuardLimits>
  onFailure?: OnFailure
  now?: () => number
}

/** Every merchant's systems, connected: a client, a guard and a breaker for each system of each merchant in each mode. */
export function createOffices(parts: OfficesParts): Offices {
  const cache = createFairCache<Kept>(parts.cacheBytes)
  const closing: (AsyncDisposable | Disposable)[] = []
  const offices = new Map<string, Office>()
  for (const merchant of parts.merchants) {
    for (const mode of ['live', 'sandbox'] as const) {
      const configured = mode === 'live' ? merchant.live : (merchant.sandbox ?? parts.embedded(merchant.merchant))
      offices.set(`${merchant.merchant}/${mode}`, { merchant, office: connect(merchant, mode, configured) })
    }
  }

  function connect(merchant: MerchantConfig, mode: Mode, configured: SystemsConfig): BackOffice {
    const facts: MerchantFacts = {
      merchant: merchant.merchant,
      currency: merchant.currency,
      timeZone: merchant.timeZone,
      now: () => new Date(now()),
    }
    const owner = `${merchant.merchant}/${mode}`
    const now = parts.now ?? Date.now
    const connected: { [S in System]?: Guarded<never> } = {}
    for (const system of systems) {
      const config = configured[system]
      const fill = config && parts.adapters[config.adapter]?.[system]
      if (!config || !fill) continue
      const limits = { ...guardDefaults, ...config.limits, ...parts.guardLimits }
      const client = createClient({
        address: config.address,
        maxSockets: limits.concurrency,
        maxResponseBytes: config.maxResponseBytes,
      })
      const guard = createGuard(`${owner} ${system}`, limits, now, parts.onFailure)
      closing.push(client, guard)
      connected[system] = { port: fill(config.settings, client, facts) as never, guard }
    }
    return createBackOffice({ owner, timeZone: merchant.timeZone, bands: merchant.bands, cache, now, ...connected })
  }

  return {
    of: (merchant, mode) => offices.get(`${merchant}/${mode}`) ?? null,
    states: () =>
      [...offices].flatMap(([owner, { office }]) => {
        const [merchant, mode] = owner.split('/') as [string, Mode]
        return Object.entries(office.states()).map(([system, state]) => ({
          merchant,
          mode,
          system: system as System,
          state: state!,
        }))
      }),
    get bytes() {
      return cache.bytes
    },
    async [Symbol.asyncDispose]() {
      for (const part of closing) {
        if (Symbol.asyncDispose in part) await part[Symbol.asyncDispose]()
        else part[Symbol.dispose]()
      }
    },
  }
}
