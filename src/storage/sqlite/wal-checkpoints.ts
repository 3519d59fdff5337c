import { extname } from 'node:path'
import { createTaskThread } from '../../lifecycle/task-thread.ts'
import type { WalFile } from './wal-file.ts'

/**
 * Moves what was committed from the write-ahead log into the store's file, in a thread. By default the commit that fills the log does so
 * itself, which held the event loop for 8 ms.
 */
export interface WalCheckpoints extends AsyncDisposable {
  /** Something may have been committed. */
  request(): void
  /** Returns whether the log is being moved into the store's file now. At the end of that, nobody can write. */
  isRunning(): boolean
}

/** The log grows by what is committed meanwhile. */
const INTERVAL_MS = 1_000
/** A smaller log is left alone: 1,000 pages, as by SQLite's own default. The file shrinks to this size when it is used again from its beginning. */
export const MIN_CHECKPOINT_BYTES = 1_000 * 4_096
/** The pages after which a commit moves them itself, when the thread is too slow or cannot start. */
export const BACKSTOP_PAGES = 8_000

/** Compiled in the npm package, as this file is. */
const TASKS = import.meta.resolve(`./wal-checkpoint-task${extname(import.meta.filename)}`)

export function createWalCheckpoints({ storeFile, bytes }: Pick<WalFile, 'storeFile' | 'bytes'>): WalCheckpoints {
  const thread = createTaskThread(TASKS, {})
  let timer: NodeJS.Timeout | null = null
  let isRequested = false
  let isRunning = false
  let isClosed = false

  async function checkpoint(): Promise<void> {
    isRequested = false
    try {
      if (bytes() > MIN_CHECKPOINT_BYTES) {
        isRunning = true
        await thread.run('checkpoint', { path: storeFile })
      }
    } catch {
      // An error comes from the disk, and the next statement reports it.
    }
    isRunning = false
    timer = null
    if (isRequested) request()
  }

  function request(): void {
    isRequested = true
    if (!isClosed) timer ??= setTimeout(checkpoint, INTERVAL_MS).unref()
  }

  return {
    request,
    isRunning: () => isRunning,
    async [Symbol.asyncDispose]() {
      isClosed = true
      if (timer) clearTimeout(timer)
      await thread[Symbol.asyncDispose]()
    },
  }
}
