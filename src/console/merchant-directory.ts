import type { MerchantConfig, SystemContact } from '../config/config.ts'
import { type CircuitName, toCircuitSystem } from '../ports/system.ts'
import { EVERY_MERCHANT } from '../storage/diagnostics/end-incidents.ts'
import type { Tenant } from '../tenant.ts'
import { type DisplayTime, formatTime } from './text/format-times.ts'

export type MerchantDirectoryEntry = Pick<MerchantConfig, 'merchant' | 'name' | 'timeZone' | 'currency'> &
  Partial<Pick<MerchantConfig, 'live' | 'sandbox'>>

/** Names, time zones and currencies of the configured merchants. */
export interface MerchantDirectory {
  all: readonly MerchantDirectoryEntry[]
  /** Returns the id itself for a merchant that is no longer configured, and `all merchants` for an incident of the store. */
  name(merchant: string | null): string
  timeZone(merchant: string | null): string
  currency(merchant: string): string
  /** Returns whom to call about a system, or about the circuit of its searches; `null`: the configuration does not say. */
  contact(tenant: Tenant, system: string): SystemContact | null
  /** Formats a time in the merchant's time zone. */
  time(at: string | number, merchant: string | null): DisplayTime
}

export function createMerchantDirectory(all: readonly MerchantDirectoryEntry[], now: () => number): MerchantDirectory {
  const byId = new Map(all.map((entry) => [entry.merchant, entry]))
  const timeZones = new Set(all.map(({ timeZone }) => timeZone))
  /** Without a merchant: the time zone that all of them share, or else UTC. */
  const sharedTimeZone = timeZones.size === 1 ? [...timeZones][0]! : 'UTC'
  const timeZoneOf = (merchant: string | null) =>
    merchant === null || merchant === EVERY_MERCHANT ? sharedTimeZone : (byId.get(merchant)?.timeZone ?? 'UTC')
  return {
    all,
    name(merchant) {
      if (merchant === EVERY_MERCHANT) return 'all merchants'
      return merchant === null ? 'no merchant' : (byId.get(merchant)?.name ?? merchant)
    },
    timeZone: timeZoneOf,
    // ISO 4217's code for no currency.
    currency: (merchant) => byId.get(merchant)?.currency ?? 'XXX',
    contact({ merchant, mode }, system) {
      const configured = byId.get(merchant)?.[mode]?.[toCircuitSystem(system as CircuitName)]
      return typeof configured === 'object' ? (configured.contact ?? null) : null
    },
    time: (at, merchant) => formatTime(at, timeZoneOf(merchant), now()),
  }
}
