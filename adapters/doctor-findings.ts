import type { DoctorFinding, ExaminationScope } from '../src/ports/doctor.ts'
import type { PortName } from '../src/ports/system.ts'

/** Creates a finding of the doctor. `check`: the name of the check that found it. */
export const createFinding = (
  severity: DoctorFinding['severity'],
  check: string,
  finding: string,
  remedy: string,
  more: Partial<DoctorFinding> = {},
): DoctorFinding => ({ severity, check, finding, remedy, ...more })

/** Returns true when the examined system serves any of these ports. */
export const hasAnySystem = (context: ExaminationScope, ...systems: readonly PortName[]) =>
  systems.some((system) => context.systems.includes(system))

/** Returns `1 product` or `2 products`. */
export const formatCount = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : plural}`
