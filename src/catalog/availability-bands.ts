import type { Stock } from '../ports/inventory.ts'

export type AvailabilityBand = 'IN_STOCK' | 'LOW' | 'OUT' | 'LEAD_TIME'

/** What is known of a SKU's stock once its counts are gone. `eta` (YYYY-MM-DD) with LEAD_TIME alone. */
export interface StockAvailability {
  band: AvailabilityBand
  eta: string | null
}

export interface BandLimits {
  /** LOW below this many base units. */
  low: number
  /** A LOW product must pass `low` by this many before it is IN_STOCK again, so that a sale and its return do not flicker. */
  hysteresis: number
}

export const bandDefaults: BandLimits = { low: 5, hysteresis: 2 }

/**
 * The one place where a stock level is looked at: what leaves it is coarse.
 * Receipts that are overdue promise nothing; an expected date is today at the earliest, in the merchant's time zone.
 */
export function toAvailability(
  stock: Stock,
  previous: AvailabilityBand | undefined,
  limits: BandLimits,
  today: string,
): StockAvailability {
  if (stock.available > 0) {
    const threshold = previous === 'LOW' ? limits.low + limits.hysteresis : limits.low
    return { band: stock.available >= threshold ? 'IN_STOCK' : 'LOW', eta: null }
  }
  let owed = -stock.available
  const coming = stock.expected
    .filter((receipt) => receipt.date >= today && receipt.quantity > 0)
    .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  for (const receipt of coming) {
    owed -= receipt.quantity
    if (owed < 0) return { band: 'LEAD_TIME', eta: receipt.date }
  }
  return { band: 'OUT', eta: null }
}

/** YYYY-MM-DD of an instant in a time zone. */
export function createLocalDay(timeZone: string): (instant: Date) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return (instant) => format.format(instant)
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
}
