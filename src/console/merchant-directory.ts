import type { MerchantConfig } from '../config/merchant-config.ts'
import type { SupportContact } from '../config/support-contact.ts'
import { type CircuitName, toCircuitSystem } from '../ports/circuit-name.ts'
import { EVERY_MERCHANT } from '../storage/diagnostics/open-incidents.ts'
import type { Tenant } from '../tenant.ts'
import { getOperatorTimeZone } from './operator-time-zone.ts'
import { type DisplayTime, formatTime } from './text/format-times.ts'

export type MerchantDirectoryEntry = Pick<MerchantConfig, 'merchant' | 'name' | 'timeZone' | 'currency'> &
  Partial<Pick<MerchantConfig, 'live' | 'sandbox' | 'sandboxFitment' | 'contact'>>

/** Where storefronts read fitment from: what was imported, a system for it, or the inventory. */
export type FitmentOrigin = 'imported' | 'system' | 'inventory'

/** Names, time zones and currencies of the configured merchants. */
export interface MerchantDirectory {
  all: readonly MerchantDirectoryEntry[]
  ids: readonly string[]
  /** Returns the id itself for a merchant that is no longer configured, and `all merchants` for an incident of the store. */
  name(merchant: string | null): string
  /** Returns the time zone of times on a page about a merchant: the operator's, or else the merchant's. */
  timeZone(merchant: string | null): string
  currency(merchant: string): string
  /** Returns whom to call about a system, or about the circuit of its searches: its own contact, or that of the merchant; `null`: nobody is configured. */
  contact(tenant: Tenant, system: string): SupportContact | null
  /** Returns whom to call at a merchant; `null`: nobody is configured. */
  merchantContact(merchant: string): SupportContact | null
  /** Returns where a merchant's fitment comes from; `null`: the merchant is not configured here. */
  fitmentOrigin(tenant: Tenant): FitmentOrigin | null
  /** Whom to call about this Forecourt; `null`: nobody is configured. */
  forecourtContact: SupportContact | null
  /**
   * Returns whether pages show what belongs to a merchant: it is configured here, or `null` (no merchant), or all of them. Several Forecourts
   * may share a store, and each shows only its own merchants.
   */
  shows(merchant: string | null): boolean
  /** Formats a time in that time zone. */
  time(at: string | number, merchant: string | null): DisplayTime
  /** Formats a time with its date, also one of today: for what is printed or shared. */
  timeWithDate(at: string | number, merchant: string | null): DisplayTime
  /** The same directory with all times in one time zone, for a list of several merchants: the operator's, the one that all merchants share, or UTC. */
  inOneTimeZone: MerchantDirectory
}

type TimeFormats = Pick<MerchantDirectory, 'timeZone' | 'time' | 'timeWithDate'>

export function createMerchantDirectory(
  configured: readonly MerchantDirectoryEntry[],
  now: () => number,
  forecourtContact: SupportContact | null = null,
): MerchantDirectory {
  const all = withUniqueNames(configured)
  const byId = new Map(all.map((entry) => [entry.merchant, entry]))
  const timeZones = new Set(all.map(({ timeZone }) => timeZone))
  /** Without a merchant: the time zone that all of them share, or else UTC. */
  const sharedTimeZone = timeZones.size === 1 ? [...timeZones][0]! : 'UTC'
  const timeZoneOf = (merchant: string | null) =>
    merchant === null || merchant === EVERY_MERCHANT ? sharedTimeZone : (byId.get(merchant)?.timeZone ?? 'UTC')
  const createTimes = (zoneOf: typeof timeZoneOf): TimeFormats => {
    const timeZone = (merchant: string | null) => getOperatorTimeZone().name ?? zoneOf(merchant)
    return {
      timeZone,
      time: (at, merchant) => formatTime(at, timeZone(merchant), now()),
      timeWithDate: (at, merchant) => formatTime(at, timeZone(merchant), null),
    }
  }
  const names: Omit<MerchantDirectory, keyof TimeFormats | 'inOneTimeZone'> = {
    all,
    ids: [...byId.keys()],
    name(merchant) {
      if (merchant === EVERY_MERCHANT) return 'all merchants'
      return merchant === null ? 'no merchant' : (byId.get(merchant)?.name ?? merchant)
    },
    shows: (merchant) => merchant === null || merchant === EVERY_MERCHANT || byId.has(merchant),
    // ISO 4217's code for no currency.
    currency: (merchant) => byId.get(merchant)?.currency ?? 'XXX',
    contact({ merchant, mode }, system) {
      const configured = byId.get(merchant)?.[mode]?.[toCircuitSystem(system as CircuitName)]
      const own = typeof configured === 'object' ? configured.contact : undefined
      return own ?? names.merchantContact(merchant)
    },
    merchantContact: (merchant) => byId.get(merchant)?.contact ?? null,
    fitmentOrigin({ merchant, mode }) {
      const entry = byId.get(merchant)
      if (!entry?.live) return null
      const fitment = mode === 'live' ? entry.live.fitment : (entry.sandbox?.fitment ?? entry.sandboxFitment)
      return typeof fitment === 'object' ? 'system' : (fitment ?? 'inventory')
    },
    forecourtContact,
  }
  const inOneTimeZone: MerchantDirectory = {
    ...names,
    ...createTimes(() => sharedTimeZone),
    get inOneTimeZone() {
      return inOneTimeZone
    },
  }
  return { ...names, ...createTimes(timeZoneOf), inOneTimeZone }
}

/** Adds the id to a name that several merchants have. */
function withUniqueNames(all: readonly MerchantDirectoryEntry[]): MerchantDirectoryEntry[] {
  const byName = Map.groupBy(all, ({ name }) => name)
  return all.map((entry) =>
    byName.get(entry.name)!.length === 1 ? entry : { ...entry, name: `${entry.name} [${entry.merchant}]` },
  )
}
