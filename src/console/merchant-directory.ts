import type { MerchantConfig } from '../config/config.ts'
import { EVERY_MERCHANT } from '../storage/diagnostics/end-incidents.ts'
import { type DisplayTime, formatTime } from './text/format-times.ts'

export type MerchantDirectoryEntry = Pick<MerchantConfig, 'merchant' | 'name' | 'timeZone' | 'currency'>

/** Names, time zones and currencies of the configured merchants. */
export interface MerchantDirectory {
  all: readonly MerchantDirectoryEntry[]
  ids: readonly string[]
  /** Returns the id itself for a merchant that is no longer configured, and `all merchants` for an incident of the store. */
  name(merchant: string | null): string
  timeZone(merchant: string | null): string
  currency(merchant: string): string
  /**
   * Returns whether pages show what belongs to a merchant: it is configured here, or `null` (no merchant), or all of them. Several Forecourts
   * may share a store, and each shows only its own merchants.
   */
  shows(merchant: string | null): boolean
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
    ids: [...byId.keys()],
    name(merchant) {
      if (merchant === EVERY_MERCHANT) return 'all merchants'
      return merchant === null ? 'no merchant' : (byId.get(merchant)?.name ?? merchant)
    },
    shows: (merchant) => merchant === null || merchant === EVERY_MERCHANT || byId.has(merchant),
    timeZone: timeZoneOf,
    // ISO 4217's code for no currency.
    currency: (merchant) => byId.get(merchant)?.currency ?? 'XXX',
    time: (at, merchant) => formatTime(at, timeZoneOf(merchant), now()),
  }
}
