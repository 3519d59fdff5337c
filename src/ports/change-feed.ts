/** The query of a change feed: rows that changed at that time or later, oldest change first. Rows with the same time have a stable order. */
export interface ChangeQuery {
  /** RFC 3339, UTC, inclusive, by the system's own clock. */
  since: string
  limit: number
  offset: number
  /** The `next_cursor` of the previous page of the same query: the page after it. `offset` is then 0. */
  cursor?: string | undefined
}

export interface ChangePage<T> {
  changes: T[]
  has_more: boolean
  /**
   * Continues the query after this page; opaque to Forecourt. A feed that returns it is not read by offset. A row that changes while
   * pages are read may move to a later one, but no other row may be left out.
   */
  next_cursor?: string | undefined
}

export interface ChangeTimestamp {
  /** RFC 3339, UTC: the time of the change, by the system's own clock. */
  updated_at: string
}

/** Default of `watermarkOverlapSeconds`, for adapters that do not set it. */
export const DEFAULT_OVERLAP_SECONDS = 5
