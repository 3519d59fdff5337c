import type { TenantColumns } from '../tenant-columns.ts'

export interface ChangeTables {
  /** The resources that events are about, with their last known state. The row is locked while an event of it is written. */
  resources: TenantColumns & {
    type: string
    id: string
    /** The sequence number of its last event; 0: none yet. */
    sequence: number
    /** JSON of the last known state, as its feed compares it; `null`: never read. */
    state: string | null
    /** YYYY-MM-DD: the day on which it changes by itself, such as an invoice's due date; `null`: none. */
    due_on: string | null
    /** When it was last compared with the back office. */
    checked_at: string
  }
  /** The position of a tenant's change feed in each of its sources. */
  feeds: TenantColumns & {
    /** 'products', 'stock', 'prices', 'orders' or 'invoices'. */
    source: string
    /** The newest change time that was read, by the system's clock; `null`: none yet. */
    watermark: string | null
    /** When the watermark was first seen, by our clock: late rows may still follow for a while. */
    reached_at: string
    /** When this feed began: earlier changes cause no events. */
    began_at: string
    /** 1 until all rows that existed when the feed began have been read once. */
    baseline: number
  }
}
