import type { ChangePage, ChangeQuery, ChangeTimestamp } from '../../ports/change-feed.ts'
import type { System } from '../../ports/system.ts'
import type { Database } from '../../storage/database.ts'
import type { RequestScope } from '../../upstream/request/request-scope.ts'
import type { ChangeJobContext } from './change-job.ts'
import type { SkusToInvalidate } from './invalidate-skus.ts'

/** The circumstances under which a page of rows was read. Times are RFC 3339, UTC. */
export interface ChangeReadContext {
  context: ChangeJobContext
  /** The time of the call to the system, by our clock. */
  calledAt: string
  at: string
  /** The feed is still reading the rows that existed when it began. */
  isBaseline: boolean
  feedBeganAt: string
}

/** One kind of change in the feed of an upstream system. */
export interface ChangeSource<T extends ChangeTimestamp> {
  name: 'products' | 'stock' | 'prices' | 'orders' | 'invoices'
  system: System
  read(query: ChangeQuery, requestScope: RequestScope): Promise<ChangePage<T>>
  idOf(row: T): string
  /** Reads what else these rows need, before their transaction. Not called for the rows that existed when the feed began. */
  complete?(rows: T[], requestScope: RequestScope): Promise<T[]>
  /** Compares rows with the stored state and appends one event for each difference. Ids are unique within `rows`. */
  apply(transaction: Database, rows: T[], reading: ChangeReadContext): Promise<SkusToInvalidate>
}
