import { type RunningSystem, type SystemOptions, startSystem } from '../../src/sandbox/start-system.ts'

export const SEEDED_AT = new Date('2026-03-02T12:00:00.000Z')

/** Starts a system on free ports, with a fixed clock. */
export function startTestSystem(
  options: Pick<SystemOptions, 'system' | 'directory'> & Partial<SystemOptions>,
): Promise<RunningSystem> {
  return startSystem({ accounts: ['demo'], now: () => SEEDED_AT, ...options })
}
