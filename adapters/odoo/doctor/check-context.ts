import type { Examination, Finding, MerchantFacts } from '../../../src/ports/adapter.ts'
import type { Rpc } from '../client/rpc.ts'
import type { OdooSettings } from '../settings.ts'

/** The context of the checks of an Odoo database. */
export interface CheckContext extends Examination {
  rpc: Rpc
  settings: OdooSettings
  facts: MerchantFacts
}

export type Check = (context: CheckContext) => Promise<Finding[]>
