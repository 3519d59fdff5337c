import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'

/** Of a core that two threads need, the one that is 5 less nice gets three quarters, and begins soon when it has work. */
const NICER = 5
const NICEST = 19

/**
 * Lets the threads that serve requests run before the calling one when they share a core. Linux alone has a priority for each thread
 * (setpriority(2), under Notes), and names the calling one in /proc/thread-self. On other systems nothing changes.
 */
export function lowerThreadPriority(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), Math.min(getPriority() + NICER, NICEST))
  } catch {}
}
