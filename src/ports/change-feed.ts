/** The query of a change feed: rows that changed at that time or later, oldest change first. Rows with the same time have a stable order. */
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

export interface ChangeTimestamp {
  /** RFC 3339, UTC: the time of the change, by the system's own clock. */
  updated_at: string
}

/** Default of `watermarkOverlapSeconds`, for adapters that do not set it. */
export const DEFAULT_OVERLAP_SECONDS = 5
