import type { Examination, Finding, MerchantFacts } from '../../../src/ports/adapter.ts'
import type { System } from '../../../src/ports/system.ts'
import type { Rpc } from '../client/rpc.ts'
import type { TrytonSettings } from '../settings.ts'

/** What a look at one side of a Tryton database is taken with. */
export interface CheckContext extends Examination {
  rpc: Rpc
  settings: TrytonSettings
  facts: MerchantFacts
}

export type Check = (looker: CheckContext) => Promise<Finding[]>

export const createFinding = (
  severity: Finding['severity'],
  check: string,
  finding: string,
  remedy: string,
  more: Partial<Finding> = {},
): Finding => ({ severity, check, finding, remedy, ...more })

/** Whether any of these is read from this database. */
export const hasAnySystem = (looker: Examination, ...systems: readonly System[]) =>
  systems.some((system) => looker.systems.includes(system))

const NAMED = 10

export const formatNameList = (names: readonly string[]) =>
  `${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ` and ${names.length - NAMED} more` : ''}`
