import type { System } from '../../ports/system.ts'
import type { Database } from '../../storage/database.ts'
import { wakeLeaseHolders } from '../../storage/leases.ts'
import { type Mode, type Tenant, tenantKey } from '../../tenant.ts'

export const WAKEUP_PREFIX = 'wake:'

export const toWakeupName = (tenant: Tenant, system: System) => `${WAKEUP_PREFIX}${tenantKey(tenant)}/${system}`

/** Makes the process that holds these feeds read the system's changes at once. */
export async function wakeFeeds(
  db: Database,
  merchant: string,
  modes: readonly Mode[],
  system: System,
  now: number,
): Promise<void> {
  const names = modes.map((mode) => toWakeupName({ merchant, mode }, system)).sort()
  await wakeLeaseHolders(db, names, new Date(now).toISOString())
}
