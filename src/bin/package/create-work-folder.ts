import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** `pack-<process id>-<random>`. In the names of earlier versions, the id is missing. */
const WORK_FOLDER = /^pack-(?:(?<pid>\d+)-)?\w{6}$/

/**
 * Creates a folder of this process below `dist`, because two processes may pack at the same time. Removes the folders of processes that have
 * ended: a process that is killed while it packs leaves its folder.
 */
export function createWorkFolder(dist: string): string {
  mkdirSync(dist, { recursive: true })
  for (const name of readdirSync(dist)) {
    const found = WORK_FOLDER.exec(name)
    if (found && hasEnded(found.groups?.pid)) rmSync(join(dist, name), { recursive: true, force: true })
  }
  return mkdtempSync(join(dist, `pack-${process.pid}-`))
}

function hasEnded(pid: string | undefined): boolean {
  if (pid === undefined) return true
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
