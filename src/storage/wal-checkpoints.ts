import { createTaskThread } from '../lifecycle/task-thread.ts'
import type { WalFile } from './wal-file.ts'

/**
 * Moves what was committed from the write-ahead log into the store's file, in a thread. By default the commit that fills the log does so
 * itself, which held the event loop for 8 ms.
 */
export interface WalCheckpoints extends AsyncDisposable {
  /** Something was committed. */
  request(): void
}

/** The log grows by what is committed meanwhile. */
const INTERVAL_MS = 1_000
/** A smaller log needs no thread: 1,000 pages, as by SQLite's own default. */
const MIN_BYTES = 1_000 * 4_096
/** The pages after which a commit moves them itself, when the thread is too slow or cannot start. */
export const BACKSTOP_PAGES = 8_000

const TASKS = new URL('./wal-checkpoint-task.ts', import.meta.url).href

/** `path`: the store's file. */
export function createWalCheckpoints(path: string, walFile: Pick<WalFile, 'bytes'>): WalCheckpoints {
  const thread = createTaskThread(TASKS, {})
  let timer: NodeJS.Timeout | null = null

  async function checkpoint(): Promise<void> {
    try {
      if (walFile.bytes() >= MIN_BYTES) await thread.run('checkpoint', { path })
    } catch {
      // An error is one of the disk, which the next statement reports.
    }
    timer = null
  }

  return {
    request() {
      timer ??= setTimeout(checkpoint, INTERVAL_MS).unref()
    },
    async [Symbol.asyncDispose]() {
      if (timer) clearTimeout(timer)
      await thread[Symbol.asyncDispose]()
    },
  }
}
