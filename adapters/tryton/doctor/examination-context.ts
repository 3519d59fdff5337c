import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { DoctorFinding, ExaminationScope } from '../../../src/ports/doctor.ts'
import type { Rpc } from '../client/rpc.ts'
import type { TrytonSettings } from '../settings.ts'

/** The context of the checks of a Tryton database. */
export interface ExaminationContext extends ExaminationScope {
  rpc: Rpc
  settings: TrytonSettings
  facts: MerchantFacts
  /** The series of the server, such as 8.2. */
  series: number
}

export type Check = (context: ExaminationContext) => Promise<DoctorFinding[]>
