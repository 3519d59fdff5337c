import type { Changed, ChangePage, ChangeQuery } from '../ports/change-feed.ts'
import type { System } from '../ports/system.ts'
import type { Database } from '../storage/database.ts'
import type { ResourceOwner } from '../storage/changes/resource-states.ts'
import type { Asking } from '../upstream/request-scope.ts'
import type { BackOffice } from '../upstream/back-office.ts'

/** Told of what changed in a merchant's catalog, so that no copy of it is served any longer. `owner`: "acme/live". */
export type OnChanged = (owner: string, skus: string[], what: { details: boolean }) => void

/** One merchant and mode, as the jobs of its change feed see it. */
export interface FeedPlace {
  db: Database
  /** Milliseconds since the epoch. */
  now: () => number
  owner: ResourceOwner
  /** "acme/live". */
  name: string
  office: Pick<BackOffice, 'changes' | 'today'>
  /** How long after a change of the catalog its event is sent: until then all processes have dropped their copies. */
  catalogDelayMs: number
  /** Whether this process may go on: it holds the lease, and is not ending. */
  holds(): boolean
  /** Of one question; ends with the feed. */
  asking(): Asking
  onChanged: OnChanged
  onError(error: unknown): void
}

/** Something that is done again and again for a merchant and mode, at most once at a time. */
export interface Job {
  name: string
  system: System
  /** Instead of the feed's own interval. */
  everyMs?: number
  /** Rejects with UpstreamError where the system fails: it is then left alone for a while. */
  run(): Promise<void>
}

/** When and how a page of rows was read. */
export interface Reading {
  place: FeedPlace
  /** When the system was asked, by our clock. RFC 3339, UTC, like the others. */
  askedAt: string
  at: string
  /** Whether all that was there at the beginning is still being looked at. */
  baseline: boolean
  beganAt: string
}

/** SKUs of which something was taken that copies of the catalog do not have. */
export interface Taken {
  details: string[]
  others: string[]
}

export const nothingTaken: Taken = { details: [], others: [] }

/** At once after the transaction: its events may be on their way. */
export function tellChanged({ name, onChanged }: FeedPlace, { details, others }: Taken): void {
  if (details.length > 0) onChanged(name, details, { details: true })
  if (others.length > 0) onChanged(name, others, { details: false })
}

/** One kind of change that a system tells of. */
export interface Source<T extends Changed> {
  name: 'products' | 'stock' | 'prices' | 'orders' | 'invoices'
  system: System
  read(query: ChangeQuery, asking: Asking): Promise<ChangePage<T>>
  idOf(row: T): string
  /** Compares rows with what is known, and tells of each difference once. No two rows have one id. */
  take(transaction: Database, rows: T[], reading: Reading): Promise<Taken>
}

/** How far the clock of a system, or a ledger that dates to the day in its own zone, may be behind ours. */
const CLOCKS_MS = 2 * 86_400_000

/** Whether something unknown happened since the feed began, or may have: what is older is not told of. */
export const isNew = (time: string | null, { baseline, beganAt }: Pick<Reading, 'baseline' | 'beganAt'>): boolean =>
  !baseline && !(Date.parse(time ?? '') < Date.parse(beganAt) - CLOCKS_MS)

/** Whether this is from before what is known, by the system's clock. A time that is yet to come was some clock's mistake: it says nothing. */
export const isOlder = (time: string, known: { at: string }, { at }: Pick<Reading, 'at'>): boolean =>
  Date.parse(time) < Date.parse(known.at) && Date.parse(known.at) <= Date.parse(at)

/** A clock that was set back must not make everything look old for longer. */
const LONGEST_READ_MS = 120_000

/** Whether what is known was read after this: two readers of one thing may end in either order. */
export function isOutrun(known: { checkedAt: string } | undefined, { askedAt }: Pick<Reading, 'askedAt'>): boolean {
  const ahead = Date.parse(known?.checkedAt ?? '') - Date.parse(askedAt)
  return ahead > 0 && ahead < LONGEST_READ_MS
}
