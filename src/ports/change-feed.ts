/** What a change feed asks: rows that changed at that instant or later, oldest change first; rows of one instant in an order that stays. */
export interface ChangeQuery {
  /** RFC 3339, UTC, inclusive, by the system's own clock. */
  since: string
  limit: number
  offset: number
}

export interface ChangePage<T> {
  changes: T[]
  has_more: boolean
}

/** RFC 3339, UTC: when the system says that it changed. */
export interface ChangeTimestamp {
  updated_at: string
}

/** Seconds that a system's change times may lag behind their becoming visible, where an adapter does not say: long transactions, whole-second clocks. */
export const DEFAULT_OVERLAP_SECONDS = 5
