import type { Examination, Finding } from '../src/ports/adapter.ts'
import type { PortName } from '../src/ports/system.ts'

/** Creates a finding of the doctor. `check`: the name of the check that found it. */
export const createFinding = (
  severity: Finding['severity'],
  check: string,
  finding: string,
  remedy: string,
  more: Partial<Finding> = {},
): Finding => ({ severity, check, finding, remedy, ...more })

/** Returns true when the examined system serves any of these ports. */
export const hasAnySystem = (context: Examination, ...systems: readonly PortName[]) =>
  systems.some((system) => context.systems.includes(system))
