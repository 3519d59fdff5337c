import { extname } from 'node:path'
import { createTaskThread, type TaskThread } from '../../../lifecycle/task-thread.ts'
import type { SuggestionResult } from '../../search/search-engine.ts'
import type { SearchRequest } from '../../search/search-request.ts'
import type { SearchResult } from '../../search/search-result.ts'
import type { SuggestRequest } from '../../search/suggest/suggestion-types.ts'
import { toMirrorError } from '../file/mirror-damage.ts'
import type { StoreChanges } from '../write/to-mirror-changes.ts'
import type { FileState, SearchThreadOptions } from './mirror-thread-tasks.ts'
import { createSearchQueue } from './search-queue.ts'
import type { SearchCall, SearchTaskOutcome } from './search-tasks.ts'

/**
 * The threads that search and write mirror files, so that neither blocks the event loop. Each starts with its first task. Empty files are
 * filled in a thread of their own, because that takes long: the files of other tenants follow the store meanwhile.
 */
export interface MirrorThreads extends AsyncDisposable {
  /** Rejects with SearchQueueFullError when too many searches wait, or when `signal` aborts. `path` may be a function, which is called when the search begins. */
  search(path: MirrorPath, request: SearchRequest, signal?: AbortSignal): Promise<SearchResult>
  suggest(path: MirrorPath, request: SuggestRequest, signal?: AbortSignal): Promise<SuggestionResult>
  /**
   * Reads what searches of a file keep in memory, part by part and one file after another, so that searches can run in between. Never rejects:
   * the first search reports an error.
   */
  prepare(path: string, canContinue?: () => boolean): Promise<void>
  /** Reads the changes of a file that searches keep in memory, as `prepare` does, but without waiting for other files. */
  readChanges(path: string, canContinue?: () => boolean): Promise<void>
  /** Applies changes, and returns the new sequence number of the file. The filling thread ends once an empty file has been filled. */
  apply(path: string, changes: StoreChanges): Promise<number>
  /** Returns the sequence number of a file, which is created when it does not exist. */
  readState(path: string): Promise<number>
  /** Closes a file in all threads. */
  close(path: string): Promise<void>
}

/** The path of a mirror file, or a function that returns it: the current mirror may change while a search waits. */
export type MirrorPath = string | (() => string)

/** `cacheBytes`: the memory of each mirror's search engine for the products of words and for results. */
export interface MirrorThreadOptions extends SearchThreadOptions {
  /** Empty files are filled in a thread of their own, which ends with each fill; by default `true`. */
  fillsApart?: boolean
}

/** Compiled in the npm package, as this file is. */
const TASKS = import.meta.resolve(`./mirror-thread-tasks${extname(import.meta.filename)}`)

export function createMirrorThreads({ fillsApart = true, ...options }: MirrorThreadOptions = {}): MirrorThreads {
  const searching = createTaskThread(TASKS, options)
  const writing = createTaskThread(TASKS, { isBackground: true })
  const filling = createTaskThread(TASKS, { isBackground: true })
  const threads = [searching, writing, filling]
  /** The files that the filling thread writes instead of the writing thread. */
  const unfilled = new Set<string>()
  const queue = createSearchQueue((tasks) => run<SearchTaskOutcome[]>(searching, 'searchAll', { tasks }))

  async function runSearch<T>(path: MirrorPath, call: SearchCall, signal?: AbortSignal): Promise<T> {
    try {
      return await queue.add<T>(() => ({ ...call, path: typeof path === 'string' ? path : path() }), signal)
    } catch (error) {
      throw toMirrorError(error)
    }
  }

  const writerOf = (path: string) => (unfilled.has(path) ? filling : writing)

  /** A file may be open in one of the two threads only. */
  async function chooseWriter(path: string, { isFilled }: FileState): Promise<void> {
    if (isFilled !== unfilled.has(path)) return
    await run(writerOf(path), 'close', { path })
    if (!isFilled) unfilled.add(path)
    else {
      unfilled.delete(path)
      // V8 and SQLite would keep the memory of the fill, which later changes do not need.
      await filling.end()
      // A reader that is closed last would leave the write-ahead log behind.
      await run(writing, 'readState', { path })
      // An error of another file is for its own next task.
      for (const other of unfilled) await run(filling, 'readState', { path: other }).catch(() => {})
    }
  }

  let preparing: Promise<void> = Promise.resolve()

  async function readAhead(task: 'prepare' | 'readChanges', path: string, canContinue = () => true): Promise<void> {
    try {
      while (canContinue() && !(await run<boolean>(searching, task, { path })));
    } catch {}
  }

  const closing = new Map<string, Promise<void>>()

  /** Closes the file in one thread after another, because the connection that is closed last must be able to write. */
  async function closeInAll(path: string): Promise<void> {
    unfilled.delete(path)
    for (const thread of threads) if (thread.isStarted) await run(thread, 'close', { path })
  }

  async function write(name: string, path: string, task: object): Promise<number> {
    // Another file may have the path by now.
    await closing.get(path)?.catch(() => {})
    const state = await run<FileState>(writerOf(path), name, { path, ...task })
    if (fillsApart) await chooseWriter(path, state)
    return state.sequence
  }

  return {
    search: (path, request, signal) => runSearch(path, { name: 'search', request }, signal),
    suggest: (path, request, signal) => runSearch(path, { name: 'suggest', request }, signal),
    prepare(path, canContinue) {
      preparing = preparing.then(() => readAhead('prepare', path, canContinue))
      return preparing
    },
    readChanges: (path, canContinue) => readAhead('readChanges', path, canContinue),
    apply: (path, changes) => write('apply', path, { changes }),
    readState: (path) => write('readState', path, {}),
    close(path) {
      const closed = closeInAll(path).finally(() => closing.delete(path))
      closing.set(path, closed)
      return closed
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(threads.map((thread) => thread[Symbol.asyncDispose]()))
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
