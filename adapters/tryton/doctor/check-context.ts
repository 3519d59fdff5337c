import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { DoctorFinding, ExaminationScope } from '../../../src/ports/doctor.ts'
import type { Rpc } from '../client/rpc.ts'
import type { TrytonSettings } from '../settings.ts'

/** The context of the checks of a Tryton database. */
export interface CheckContext extends ExaminationScope {
  rpc: Rpc
  settings: TrytonSettings
  facts: MerchantFacts
  /** The series of the server, such as 8.2. */
  series: number
}

/** The field of `ir.model` with the technical name of a model; the other field has its label. */
export const modelNameField = (series: number) => (series < 7.6 ? 'model' : 'name')

export type Check = (context: CheckContext) => Promise<DoctorFinding[]>

const MAX_NAMES = 10

export const formatNameList = (names: readonly string[]) =>
  `${names.slice(0, MAX_NAMES).join(', ')}${names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''}`
