import type { Mode } from '../config/config.ts'
import type { System } from '../ports/system.ts'
import type { Database } from '../storage/database.ts'
import { wakeLeaseHolders } from '../storage/leases.ts'

export const WAKEUP_PREFIX = 'wake:'

/** `owner`: "acme/live". */
export const toWakeupName = (owner: string, system: System) => `${WAKEUP_PREFIX}${owner}/${system}`

/** Has whichever process follows this system look at it at once. */
export async function wakeFeeds(
  db: Database,
  merchant: string,
  modes: readonly Mode[],
  system: System,
  now: number,
): Promise<void> {
  const names = modes.map((mode) => toWakeupName(`${merchant}/${mode}`, system)).sort()
  await wakeLeaseHolders(db, names, new Date(now).toISOString())
}
