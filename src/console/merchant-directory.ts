import type { MerchantConfig, Mode } from '../config/config.ts'
import { type DisplayTime, formatTime } from './text/format-times.ts'

export type MerchantDirectoryEntry = Pick<MerchantConfig, 'merchant' | 'name' | 'timeZone'>

/** How pages speak of merchants. */
export interface MerchantDirectory {
  all: readonly MerchantDirectoryEntry[]
  /** One that is configured no longer has its id for a name. */
  name(merchant: string | null): string
  zone(merchant: string | null): string
  /** A time in the merchant's own hours. */
  moment(at: string | number, merchant: string | null): DisplayTime
}

export const modes: readonly Mode[] = ['live', 'sandbox']

export function createMerchantDirectory(all: readonly MerchantDirectoryEntry[], now: () => number): MerchantDirectory {
  const byId = new Map(all.map((one) => [one.merchant, one]))
  const zones = new Set(all.map(({ timeZone }) => timeZone))
  /** Where all merchants are in one zone, it is meant also when none is named. */
  const shared = zones.size === 1 ? [...zones][0]! : 'UTC'
  const zoneOf = (merchant: string | null) => (merchant === null ? shared : (byId.get(merchant)?.timeZone ?? 'UTC'))
  return {
    all,
    name: (merchant) => (merchant === null ? 'no merchant' : (byId.get(merchant)?.name ?? merchant)),
    zone: zoneOf,
    moment: (at, merchant) => formatTime(at, zoneOf(merchant), now()),
  }
}

/** Of a query: which merchant and mode are looked at. What is not known is nobody's. */
export function readMerchantFilter(
  query: URLSearchParams,
  { all }: MerchantDirectory,
): { merchant: string | null; mode: Mode | null } {
  const merchant = query.get('merchant')
  const mode = query.get('mode')
  return {
    merchant: all.some((one) => one.merchant === merchant) ? merchant : null,
    mode: modes.find((one) => one === mode) ?? null,
  }
}
