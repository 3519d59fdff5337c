import { readFileSync, readlinkSync } from 'node:fs'

/** Where a process runs, for other processes of the same machine and namespace: they can find out at once that it has ended. */
export interface ProcessIdentity {
  /** The start of the machine and the namespace of process ids; `null` where these are unknown. */
  machine: string | null
  pid: number
}

/** Returns the identity of this process. */
export const readProcessIdentity = (): ProcessIdentity => ({ machine: readMachine(), pid: process.pid })

function readMachine(): string | null {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

/** Returns whether a process is known to have ended. `false` says nothing about a process of another machine. */
export function isGone({ machine, pid }: Partial<ProcessIdentity>, own: ProcessIdentity): boolean {
  if (machine === undefined || machine === null || machine !== own.machine || pid === undefined) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
