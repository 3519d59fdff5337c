import type { ChangePage, ChangeQuery, ChangeTimestamp } from '../ports/change-feed.ts'
import type { System } from '../ports/system.ts'
import type { ResourceOwner } from '../storage/changes/resource-states.ts'
import type { Database } from '../storage/database.ts'
import type { BackOffice } from '../upstream/back-office.ts'
import type { RequestScope } from '../upstream/request-scope.ts'

/** Told of what changed in a merchant's catalog, so that no copy of it is served any longer. `owner`: "acme/live". */
export type CatalogChangeListener = (owner: string, skus: string[], what: { details: boolean }) => void

/** One merchant and mode, as the jobs of its change feed see it. */
export interface FeedContext {
  db: Database
  /** Milliseconds since the epoch. */
  now: () => number
  owner: ResourceOwner
  /** "acme/live". */
  name: string
  backOffice: Pick<BackOffice, 'changes' | 'today'>
  /** How long after a change of the catalog its event is sent: until then all processes have dropped their copies. */
  catalogDelayMs: number
  /** Whether this process may go on: it holds the lease, and is not ending. */
  holds(): boolean
  /** Of one question; ends with the feed. */
  requestScope(): RequestScope
  onChanged: CatalogChangeListener
  onError(error: unknown): void
}

/** Something that is done again and again for a merchant and mode, at most once at a time. */
export interface FeedJob {
  name: string
  system: System
  /** Instead of the feed's own interval. */
  everyMs?: number
  /** Rejects with UpstreamError where the system fails: it is then left alone for a while. */
  run(): Promise<void>
}

/** When and how a page of rows was read. */
export interface ChangeReadContext {
  place: FeedContext
  /** When the system was asked, by our clock. RFC 3339, UTC, like the others. */
  askedAt: string
  at: string
  /** Whether all that was there at the beginning is still being looked at. */
  baseline: boolean
  beganAt: string
}

/** SKUs of which something was taken that copies of the catalog do not have. */
export interface StaleSkus {
  details: string[]
  others: string[]
}

export const noStaleSkus: StaleSkus = { details: [], others: [] }

/** At once after the transaction: its events may be on their way. */
export function invalidateStaleSkus({ name, onChanged }: FeedContext, { details, others }: StaleSkus): void {
  if (details.length > 0) onChanged(name, details, { details: true })
  if (others.length > 0) onChanged(name, others, { details: false })
}

/** One kind of change that a system tells of. */
export interface ChangeSource<T extends ChangeTimestamp> {
  name: 'products' | 'stock' | 'prices' | 'orders' | 'invoices'
  system: System
  read(query: ChangeQuery, requestScope: RequestScope): Promise<ChangePage<T>>
  idOf(row: T): string
  /** Compares rows with what is known, and tells of each difference once. No two rows have one id. */
  take(transaction: Database, rows: T[], reading: ChangeReadContext): Promise<StaleSkus>
}

/** How far the clock of a system, or a ledger that dates to the day in its own zone, may be behind ours. */
const CLOCKS_MS = 2 * 86_400_000

/** Whether something unknown happened since the feed began, or may have: what is older is not told of. */
export const isNewSinceBaseline = (
  time: string | null,
  { baseline, beganAt }: Pick<ChangeReadContext, 'baseline' | 'beganAt'>,
): boolean => !baseline && !(Date.parse(time ?? '') < Date.parse(beganAt) - CLOCKS_MS)

/** Whether this is from before what is known, by the system's clock. A time that is yet to come was some clock's mistake: it says nothing. */
export const isOlderThanKnown = (time: string, known: { at: string }, { at }: Pick<ChangeReadContext, 'at'>): boolean =>
  Date.parse(time) < Date.parse(known.at) && Date.parse(known.at) <= Date.parse(at)

/** A clock that was set back must not make everything look old for longer. */
const LONGEST_READ_MS = 120_000

/** Whether what is known was read after this: two readers of one thing may end in either order. */
export function isSupersededRead(
  known: { checkedAt: string } | undefined,
  { askedAt }: Pick<ChangeReadContext, 'askedAt'>,
): boolean {
  const ahead = Date.parse(known?.checkedAt ?? '') - Date.parse(askedAt)
  return ahead > 0 && ahead < LONGEST_READ_MS
}
