import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tryLockFile } from './file-lock.ts'
import { makeFolder } from './make-folder.ts'

/** This process, among those that use a folder. While something refers to it, until it is disposed or the process ends, others see that it runs. */
export interface LockedProcess extends Disposable {
  id: string
}

const SUFFIX = '.lock'

/** Gives this process an id, whose file in the folder it locks. The system ends the lock with the process, however it ends. */
export function lockProcess(folder: string): LockedProcess {
  makeFolder(folder, 0o700)
  const id = randomUUID()
  const path = join(folder, id + SUFFIX)
  const lock = tryLockFile(path)
  // Another process that found the file before it was locked removes it.
  if (!lock) return lockProcess(folder)
  return {
    id,
    [Symbol.dispose]() {
      rmSync(path, { force: true })
      lock[Symbol.dispose]()
    },
  }
}

/** Calls `take` with the ids of processes that have ended without being disposed, and forgets these processes when it has resolved. */
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
