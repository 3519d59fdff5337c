import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tryLockFile } from './file-lock.ts'
import { makeFolder } from './make-folder.ts'

/** The lock by which other processes see that this process runs. It lasts until it is disposed, is garbage-collected, or the process ends. */
export interface LockedProcess extends Disposable {
  id: string
}

const SUFFIX = '.lock'

/** Creates a file in the folder, named for a new id of this process, and locks it. The operating system releases the lock when the process ends. */
export function lockProcess(folder: string): LockedProcess {
  makeFolder(folder, 0o700)
  const id = randomUUID()
  const path = join(folder, id + SUFFIX)
  const lock = tryLockFile(path)
  // Another process has locked the file first, and will remove it as that of an ended process.
  if (!lock) return lockProcess(folder)
  return {
    id,
    [Symbol.dispose]() {
      rmSync(path, { force: true })
      lock[Symbol.dispose]()
    },
  }
}

/** Calls `take` with the ids of processes that ended without disposing their locks, then removes their files. */
export async function takeEndedProcesses(folder: string, take: (ids: string[]) => Promise<void>): Promise<void> {
  using stack = new DisposableStack()
  const ended: string[] = []
  for (const name of readdirSync(folder)) {
    const lock = name.endsWith(SUFFIX) ? tryLockFile(join(folder, name)) : null
    if (!lock) continue
    stack.use(lock)
    ended.push(name.slice(0, -SUFFIX.length))
  }
  if (ended.length === 0) return
  await take(ended)
  for (const id of ended) rmSync(join(folder, id + SUFFIX), { force: true })
}
