import type { Examination, Finding, MerchantFacts } from '../../../src/ports/adapter.ts'
import type { PortName } from '../../../src/ports/system.ts'
import type { Rpc } from '../client/rpc.ts'
import type { OdooSettings } from '../settings.ts'

/** The context of the checks of an Odoo database. */
export interface CheckContext extends Examination {
  rpc: Rpc
  settings: OdooSettings
  facts: MerchantFacts
}

export type Check = (context: CheckContext) => Promise<Finding[]>

export const createFinding = (
  severity: Finding['severity'],
  check: string,
  finding: string,
  remedy: string,
  more: Partial<Finding> = {},
): Finding => ({ severity, check, finding, remedy, ...more })

/** Returns true when any of these systems is read from this database. */
export const hasAnySystem = (context: Examination, ...systems: readonly PortName[]) =>
  systems.some((system) => context.systems.includes(system))
