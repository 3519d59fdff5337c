import { createMerchantDirectory, type MerchantDirectory } from '../console/merchant-directory.ts'
import { parseTimeZone } from '../console/operator-time-zone.ts'
import type { CommandConfig } from './command-config.ts'
import { demoMerchant } from './demo/demo-config.ts'
import { UsageError } from './usage-error.ts'

/** No time is today's: what a command prints is read later, so each time has its date. */
const withEachDate = () => 0

/** Creates the directory by which commands show names and times, in one time zone if `--time-zone` names one, and else in each merchant's. */
export function createCommandMerchantDirectory(
  { merchants, merchantConfig }: CommandConfig,
  timeZone: string | undefined,
): MerchantDirectory {
  const zone = timeZone === undefined ? {} : { timeZone: requireTimeZone(timeZone) }
  const entries = merchants.map((merchant) => ({ ...(merchantConfig(merchant) ?? demoMerchant), ...zone }))
  return createMerchantDirectory(entries, withEachDate)
}

function requireTimeZone(name: string): string {
  const zone = parseTimeZone(name)
  if (zone === null) throw new UsageError(`--time-zone takes a time zone such as America/Jamaica or UTC, not "${name}"`)
  return zone
}
