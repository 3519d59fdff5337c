import { MAX_BRANCHES, type Stock } from '../ports/inventory.ts'

export type AvailabilityBand = 'IN_STOCK' | 'LOW' | 'OUT' | 'LEAD_TIME'

/** The stock of a SKU at one branch, as the API reveals it. */
export interface BranchAvailability {
  branch_id: string
  name: string
  band: Exclude<AvailabilityBand, 'LEAD_TIME'>
}

/** The stock of a SKU, as the API reveals it. `eta` (YYYY-MM-DD) comes only with LEAD_TIME. */
export interface StockAvailability {
  band: AvailabilityBand
  eta: string | null
  /** The policy for orders while it is out of stock; absent: all bands but OUT may be ordered. */
  orderable?: boolean
  /** Absent where the inventory does not say. */
  branches?: BranchAvailability[]
}

/** Returns whether shoppers may order a product. */
export const isOrderable = ({ band, orderable = band !== 'OUT' }: StockAvailability): boolean => orderable

export interface BandLimits {
  /** With fewer base units than this the band is LOW. */
  low: number
  /** A LOW product needs this many more than `low` to be IN_STOCK again, so that the band does not flicker. */
  hysteresis: number
}

export const bandDefaults: BandLimits = { low: 5, hysteresis: 2 }

/**
 * Turns a stock level into a band. No other code reads stock levels.
 * Overdue receipts are ignored: an expected date is today at the earliest, in the merchant's time zone.
 */
export function toAvailability(
  stock: Stock,
  previous: AvailabilityBand | undefined,
  limits: BandLimits,
  today: string,
): StockAvailability {
  if (stock.untracked) return { band: 'IN_STOCK', eta: null }
  if (stock.available > 0) {
    const threshold = previous === 'LOW' ? limits.low + limits.hysteresis : limits.low
    return { band: stock.available >= threshold ? 'IN_STOCK' : 'LOW', eta: null }
  }
  const eta = findEta(stock, today)
  const policy = stock.sell_when_out === undefined ? {} : { orderable: stock.sell_when_out }
  return { band: eta === null ? 'OUT' : 'LEAD_TIME', eta, ...policy }
}

/**
 * Returns the availability of a SKU with that of its branches. The limits for LOW, and for the return to IN_STOCK, are the same for a
 * branch as for the whole stock. Receipts do not belong to a branch.
 */
export function toAvailabilityWithBranches(
  stock: Stock,
  previous: StockAvailability | null | undefined,
  limits: BandLimits,
  today: string,
): StockAvailability {
  const availability = toAvailability(stock, previous?.band, limits, today)
  if (!stock.branches || stock.untracked) return availability
  const former = new Map(previous?.branches?.map(({ branch_id, band }) => [branch_id, band]))
  const branches = stock.branches.slice(0, MAX_BRANCHES).map(({ branch_id, name, available }) => {
    const { band } = toAvailability({ available, expected: [] }, former.get(branch_id), limits, today)
    return { branch_id, name, band: band as BranchAvailability['band'] }
  })
  return { ...availability, branches }
}

/** Returns an availability as responses show it. */
export const summarizeAvailability = (availability: StockAvailability) => ({
  band: availability.band,
  eta: availability.eta,
  orderable: isOrderable(availability),
  ...(availability.branches && {
    branches: availability.branches.map(({ branch_id, name, band }) => ({ branch_id, name, band })),
  }),
})

/** Returns the day on which there is stock again after all back-orders, or `null`. */
function findEta(stock: Stock, today: string): string | null {
  let backorder = -stock.available
  const receipts = stock.expected
    .filter((receipt) => receipt.date >= today && receipt.quantity > 0)
    .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  for (const receipt of receipts) {
    backorder -= receipt.quantity
    if (backorder < 0) return receipt.date
  }
  return stock.expected_on !== undefined && stock.expected_on >= today ? stock.expected_on : null
}
