import type { DoctorFinding } from '../src/ports/doctor.ts'

/** Creates a finding of the doctor. `check`: the name of the check that found it. */
export const createFinding = (
  severity: DoctorFinding['severity'],
  check: string,
  finding: string,
  remedy: string,
  more: Partial<DoctorFinding> = {},
): DoctorFinding => ({ severity, check, finding, remedy, ...more })
