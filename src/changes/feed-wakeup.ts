import type { Mode } from '../config/config.ts'
import type { System } from '../ports/system.ts'
import type { Database } from '../storage/database.ts'
import { wake } from '../storage/leases.ts'

export const wakePrefix = 'wake:'

/** `owner`: "acme/live". */
export const wakeNameOf = (owner: string, system: System) => `${wakePrefix}${owner}/${system}`

/** Has whichever process follows this system look at it at once. */
export async function wakeFeeds(
  db: Database,
  merchant: string,
  modes: readonly Mode[],
  system: System,
  now: number,
): Promise<void> {
  const names = modes.map((mode) => wakeNameOf(`${merchant}/${mode}`, system)).sort()
  await wake(db, names, new Date(now).toISOString())
}
