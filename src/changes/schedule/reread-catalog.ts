import { systems } from '../../ports/system.ts'
import { resetFitmentReads } from '../../storage/catalog/due-fitment-reads.ts'
import { clearReadTimes } from '../../storage/catalog/price-and-tax-refresh-queries.ts'
import { restartFeeds } from '../../storage/changes/change-feeds.ts'
import type { Database } from '../../storage/database.ts'
import { transact } from '../../storage/transact.ts'
import type { Tenant } from '../../tenant.ts'
import { wakeFeeds } from './feed-wakeup.ts'

/** Makes the process that follows a tenant's systems read all that a mirror holds again, at once. `now`: milliseconds since the epoch. */
export async function rereadCatalog(db: Database, tenant: Tenant, now: number): Promise<void> {
  await transact(db, async (transaction) => {
    await restartFeeds(transaction, tenant, ['products', 'stock'])
    await clearReadTimes(transaction, tenant)
    await resetFitmentReads(transaction, tenant)
  })
  for (const system of systems) await wakeFeeds(db, tenant.merchant, [tenant.mode], system, now)
}
