import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'

/** If two threads need one core, the one whose nice value is 5 lower gets three quarters of it, and starts soon when it has work. */
const NICER = 5
const NICEST = 19

/**
 * Lets the threads that serve requests run before the calling one when they share a core. Only Linux has a priority for each thread
 * (setpriority(2), under Notes), and names the calling one in /proc/thread-self. On other systems nothing changes.
 */
export function lowerThreadPriority(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), Math.min(getPriority() + NICER, NICEST))
  } catch {}
}
