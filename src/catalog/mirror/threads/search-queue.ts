import { SearchQueueFullError } from './search-queue-full-error.ts'
import type { SearchTask, SearchTaskOutcome } from './search-tasks.ts'

/** The searches that wait for the thread, in request order. */
export interface SearchQueue {
  /** Rejects with SearchQueueFullError when too many wait, or when `signal` aborts. `toTask` is called when the search begins. */
  add<T>(toTask: () => SearchTask, signal?: AbortSignal): Promise<T>
}

interface CallingRequest {
  resolve(value: unknown): void
  reject(error: unknown): void
}

interface WaitingSearch extends CallingRequest {
  toTask: () => SearchTask
  signal: AbortSignal | undefined
}

interface BegunSearch extends WaitingSearch {
  task: SearchTask
}

const MAX_WAITING = 1_000
/** A message and its reply cost more CPU than most searches, so those that wait for the last reply share the next message. */
const MAX_IN_MESSAGE = 32

/**
 * `send`: sends one message to the thread, and resolves with the outcomes of its first tasks, at least one. Tasks without an outcome are sent
 * again first, and those that must wait after all others.
 */
export function createSearchQueue(send: (tasks: SearchTask[]) => Promise<SearchTaskOutcome[]>): SearchQueue {
  const waiting: WaitingSearch[] = []
  let isRunning = false

  function sendNext(): void {
    while (!isRunning && waiting.length > 0) {
      const begun = waiting.splice(0, MAX_IN_MESSAGE).flatMap(begin)
      if (begun.length > 0) void run(begun)
    }
  }

  async function run(searches: readonly BegunSearch[]): Promise<void> {
    isRunning = true
    try {
      const outcomes = await send(searches.map(({ task }) => task))
      // One turn for each: otherwise all responses of the message are in memory at once, and each collection of garbage copies them.
      for (const [at, outcome] of outcomes.entries()) {
        if ('mustWait' in outcome) waiting.push(searches[at]!)
        else setImmediate(settle, searches[at]!, outcome)
      }
      waiting.unshift(...searches.slice(outcomes.length))
    } catch (error) {
      for (const { reject } of searches) reject(error)
    }
    isRunning = false
    sendNext()
  }

  return {
    async add<T>(toTask: () => SearchTask, signal?: AbortSignal): Promise<T> {
      signal?.throwIfAborted()
      if (waiting.length >= MAX_WAITING) throw new SearchQueueFullError()
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      waiting.push({ toTask, signal, resolve: resolve as (value: unknown) => void, reject })
      sendNext()
      return signal ? abandonWhenAborted(promise, signal) : promise
    },
  }
}

function settle({ resolve, reject }: CallingRequest, outcome: Exclude<SearchTaskOutcome, { mustWait: true }>): void {
  if ('error' in outcome) reject(outcome.error)
  else resolve(outcome.value)
}

/** Returns nothing for a search that was aborted, which is rejected already, or whose task fails. */
function begin(search: WaitingSearch): BegunSearch[] {
  if (search.signal?.aborted) return []
  try {
    return [{ ...search, task: search.toTask() }]
  } catch (error) {
    search.reject(error)
    return []
  }
}

/** Piscina would end the thread, with all it has in memory, when a running task is aborted. So an aborted search runs to its end unseen. */
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
