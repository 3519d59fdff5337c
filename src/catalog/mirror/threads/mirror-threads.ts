import pLimit from 'p-limit'
import type { SuggestionResult } from '../../search/search-engine.ts'
import type { SearchRequest } from '../../search/search-request.ts'
import type { SuggestRequest } from '../../search/suggest/suggest-request.ts'
import { toMirrorError } from '../file/mirror-damage.ts'
import type { StoreChanges } from '../write/store-rows.ts'
import type { AppliedChanges, SearchThreadOptions, SkuSearchPage } from './mirror-tasks.ts'
import { createTaskThread, type TaskThread } from './mirror-thread.ts'
import { SearchQueueFullError } from './search-queue-full.ts'

/** The threads that search and write mirror files, so that neither blocks the event loop. Each starts with its first task. */
export interface MirrorThreads extends AsyncDisposable {
  /** Rejects with SearchQueueFullError when too many searches wait, or when `signal` aborts. `path` may be a function, which is called when the search begins. */
  search(path: MirrorPath, request: SearchRequest, signal?: AbortSignal): Promise<SkuSearchPage>
  suggest(path: MirrorPath, request: SuggestRequest, signal?: AbortSignal): Promise<SuggestionResult>
  /** Applies changes, and returns the new sequence number of the file. The writing thread ends once an empty file has been filled. */
  apply(path: string, changes: StoreChanges): Promise<number>
  /** Returns the sequence number of a file, which is created when it does not exist. */
  readState(path: string): Promise<number>
  /** Closes a file in both threads. */
  close(path: string): Promise<void>
}

/** The path of a mirror file, or a function that returns it: the current mirror may change while a search waits. */
export type MirrorPath = string | (() => string)

/** `cacheBytes`: the memory of each mirror's search engine for the products of words and for results. */
export type MirrorThreadOptions = SearchThreadOptions

const TASKS = new URL('./mirror-tasks.ts', import.meta.url).href
const MAX_WAITING_SEARCHES = 1_000
/** One task runs while the next one is on its way to the thread. */
const TASKS_IN_THREAD = 2

export function createMirrorThreads(options: MirrorThreadOptions = {}): MirrorThreads {
  const searching = createTaskThread(TASKS, options)
  const writing = createTaskThread(TASKS, {})
  const limit = pLimit(TASKS_IN_THREAD)

  /** Piscina would end the thread, with all it has in memory, when a running task is aborted. So an aborted task runs to its end unseen. */
  async function runSearch<T>(name: string, path: MirrorPath, request: object, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    if (limit.pendingCount >= MAX_WAITING_SEARCHES) throw new SearchQueueFullError()
    const result = limit(() => {
      signal?.throwIfAborted()
      const task = { path: typeof path === 'string' ? path : path(), request }
      return run<T>(searching, name, task)
    })
    return signal ? abandonWhenAborted(result, signal) : result
  }

  return {
    search: (path, request, signal) => runSearch('search', path, request, signal),
    suggest: (path, request, signal) => runSearch('suggest', path, request, signal),
    async apply(path, changes) {
      const { sequence, hasFilled } = await run<AppliedChanges>(writing, 'apply', { path, changes })
      // V8 and SQLite would keep the memory of the fill, which later changes do not need.
      if (hasFilled) await writing.end()
      return sequence
    },
    readState: (path) => run(writing, 'readState', { path }),
    async close(path) {
      for (const thread of [searching, writing]) if (thread.isStarted) await run(thread, 'close', { path })
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([searching[Symbol.asyncDispose](), writing[Symbol.asyncDispose]()])
    },
  }
}

async function run<T>(thread: TaskThread, name: string, task: object): Promise<T> {
  try {
    return await thread.run<T>(name, task)
  } catch (error) {
    throw toMirrorError(error)
  }
}

async function abandonWhenAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([result, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
