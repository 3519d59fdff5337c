import type { System } from '../../ports/system.ts'
import type { Database } from '../../storage/database.ts'
import type { Tenant } from '../../tenant.ts'
import type { BackOffice } from '../../upstream/back-office.ts'
import type { RequestScope } from '../../upstream/request/request-scope.ts'
import type { BackInStockListener, CatalogChangeListener } from './catalog-change-listener.ts'
import type { CatalogPartTracker } from './catalog-part-tracker.ts'

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
