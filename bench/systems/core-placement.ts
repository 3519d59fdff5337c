import { spawnSync } from 'node:child_process'

/** The system under test has a core of its own; load, upstreams and this process share the other one. */
const TESTED_CORE = '0'
const LOAD_CORE = '1'

export const hasTaskset = spawnSync('taskset', ['-V']).error === undefined

export type CorePlacement = 'tested' | 'load'

/** Moves this process, and children without a core of their own, to the core of the load. */
export function pinToLoadCore(): void {
  if (hasTaskset) spawnSync('taskset', ['-a', '-cp', LOAD_CORE, String(process.pid)])
}

/** Returns the command that starts a program on a core, or nothing where there is no taskset. */
export function toTasksetCommand(placement: CorePlacement): string[] {
  return hasTaskset ? ['taskset', '-c', placement === 'tested' ? TESTED_CORE : LOAD_CORE] : []
}
