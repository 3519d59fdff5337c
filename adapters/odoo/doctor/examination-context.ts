import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { DoctorFinding, ExaminationScope } from '../../../src/ports/doctor.ts'
import type { Rpc } from '../client/rpc.ts'
import type { OdooSettings } from '../settings.ts'

/** The context of the checks of an Odoo database. */
export interface ExaminationContext extends ExaminationScope {
  rpc: Rpc
  /** Lists the databases of the server; `null` if the server does not list them. */
  listDatabases(call: Call): Promise<string[] | null>
  settings: OdooSettings
  facts: MerchantFacts
}

export type Check = (context: ExaminationContext) => Promise<DoctorFinding[]>
