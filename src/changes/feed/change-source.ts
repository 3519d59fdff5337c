import type { ChangePage, ChangeQuery, ChangeTimestamp } from '../../ports/change-feed.ts'
import type { System } from '../../ports/system.ts'
import type { Database } from '../../storage/database.ts'
import type { Tenant } from '../../tenant.ts'
import type { BackOffice } from '../../upstream/back-office.ts'
import type { RequestScope } from '../../upstream/request/request-scope.ts'
import type { CatalogPartTracker } from './catalog-part-tracker.ts'

/** Receives the SKUs that changed in a tenant's catalog, to invalidate their cached copies. `details`: more than prices or stock changed. */
export type CatalogChangeListener = (tenant: Tenant, skus: string[], what: { details: boolean }) => void

/** A product that a customer waited for is in stock again. */
export type BackInStockListener = (tenant: Tenant, notice: { customerId: string; sku: string; name: string }) => void

/** The context of the jobs of one tenant's change feed. */
export interface ChangeJobContext {
  db: Database
  /** Milliseconds since the epoch. */
  now: () => number
  tenant: Tenant
  /** "acme/live". */
  name: string
  backOffice: Pick<BackOffice, 'changes' | 'today'>
  /** The merchant has a catalog mirror: the jobs write what they read into the store's catalog. */
  hasMirror: boolean
  parts: CatalogPartTracker
  /** The interval at which jobs read what has no change feed: well below the age from which a mirror is stale. */
  slowIntervalMs: number
  /** The longest time for which catalog events are held; 0: they are not held. Without mirrors, all processes have dropped their cached copies by then. */
  catalogDelayMs: number
  /** Returns whether this process still holds the feed's lease and is not shutting down. */
  canContinue(): boolean
  /** Creates the request scope of one call. It is abandoned when the feed ends. */
  requestScope(): RequestScope
  onChanged: CatalogChangeListener
  /** Receives a request that was fulfilled, to send the email. */
  onBackInStock?: BackInStockListener | undefined
  onError(error: unknown): void
}

/** A recurring job of a tenant's change feed. Its runs do not overlap. */
export interface ChangeJob {
  name: string
  /** `null`: it reads only the store. */
  system: System | null
  /** Each run calls the system: one that succeeds proves that the system can be reached. */
  callsSystem?: true
  /** Replaces the feed's interval. */
  readonly intervalMs?: number | undefined
  /** Returns whether it has more to do at once, before its interval has passed. */
  hasWork?(): boolean
  /** Rejects with UpstreamError if the system fails; the next run is then delayed. */
  run(): Promise<void>
}

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

/** SKUs whose cached copies are out of date. `others`: only prices or stock have changed. */
export interface StaleSkus {
  details: string[]
  others: string[]
  /** The number of products that were added or changed in the store's catalog. */
  copied?: number
}

export const noStaleSkus: StaleSkus = { details: [], others: [] }

export const joinStaleSkus = (all: readonly StaleSkus[]): StaleSkus => ({
  details: all.flatMap(({ details }) => details),
  others: all.flatMap(({ others }) => others),
  copied: all.reduce((sum, { copied = 0 }) => sum + copied, 0),
})

/** Runs right after the transaction, before its events are delivered. */
export function invalidateStaleSkus(
  { tenant, onChanged, parts }: ChangeJobContext,
  { details, others, copied = 0 }: StaleSkus,
): void {
  parts.addProductChanges(copied)
  if (details.length > 0) onChanged(tenant, details, { details: true })
  if (others.length > 0) onChanged(tenant, others, { details: false })
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
  apply(transaction: Database, rows: T[], reading: ChangeReadContext): Promise<StaleSkus>
}
