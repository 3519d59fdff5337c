import type { FeedScheduler, FeedSchedulerParts } from '../../src/changes/schedule/feed-scheduler.ts'
import { createFeedScheduler } from '../../src/changes/schedule/feed-scheduler.ts'
import type { Database } from '../../src/storage/database.ts'
import { type Mode, tenantKey } from '../../src/tenant.ts'
import type { FakeSystems } from './fake-systems.ts'

export interface ReportedChange {
  /** The tenant's key. */
  tenant: string
  skus: string[]
  details: boolean
}

export function createTestFeed(
  db: Database,
  systems: FakeSystems,
  more: Partial<FeedSchedulerParts> = {},
): FeedScheduler & { reportedChanges: ReportedChange[]; errors: unknown[] } {
  const reportedChanges: ReportedChange[] = []
  const errors: unknown[] = []
  const feed = createFeedScheduler({
    db,
    now: () => systems.now,
    holder: 'one',
    intervalMs: null,
    random: () => 0.5,
    upstreams: [toFeedTenant(systems)],
    onChanged: (tenant, skus, { details }) => void reportedChanges.push({ tenant: tenantKey(tenant), skus, details }),
    onError: (error) => void errors.push(error),
    ...more,
  })
  return Object.assign(feed, { reportedChanges, errors })
}

export const toFeedTenant = (systems: FakeSystems, merchant = 'acme', mode: Mode = 'sandbox') => ({
  merchant,
  mode,
  backOffice: { changes: systems.changes, today: () => systems.today },
})
