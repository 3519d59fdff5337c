import type { ExaminationScope } from '../src/ports/doctor.ts'
import type { PortName } from '../src/ports/system.ts'

/** Returns true when the examined system serves any of these ports. */
export const hasAnySystem = (context: ExaminationScope, ...systems: readonly PortName[]) =>
  systems.some((system) => context.systems.includes(system))
