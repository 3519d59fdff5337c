import { Piscina } from 'piscina'
import type { FacetCounts, SearchRequest } from '../search/search-request.ts'
import type { Suggestions, SuggestRequest } from '../search/suggest-request.ts'
import type { MirrorProduct } from './mirror-row.ts'
import type { SearchPage } from './mirror-tasks.ts'
import type { MirrorChanges } from './mirror-writer.ts'

/** The products found, in order. */
export interface MirrorSearchResult {
  products: MirrorProduct[]
  total: number
  facets: FacetCounts
  corrected: string | null
}

/** The threads that search and write mirror files, so that neither blocks the event loop. Each starts with its first task. */
export interface MirrorThreads extends AsyncDisposable {
  /** Rejects when too many searches wait. */
  search(path: string, request: SearchRequest, signal?: AbortSignal): Promise<MirrorSearchResult>
  /** Rejects when too many searches wait. */
  suggest(path: string, request: SuggestRequest, signal?: AbortSignal): Promise<Suggestions>
  /** Applies changes, and returns the new sequence number of the file. */
  apply(path: string, changes: MirrorChanges): Promise<number>
  /** Returns the sequence number of a file, which is created when it does not exist. */
  readState(path: string): Promise<number>
  /** Closes a file in both threads. */
  close(path: string): Promise<void>
}

const MAX_WAITING_SEARCHES = 1_000

export function createMirrorThreads(): MirrorThreads {
  const searching = createThread(MAX_WAITING_SEARCHES)
  const writing = createThread(Number.POSITIVE_INFINITY)
  return {
    async search(path, request, signal) {
      const page: SearchPage = await searching.run({ path, request }, { name: 'search', ...(signal && { signal }) })
      return { ...page, products: JSON.parse(page.products) }
    },
    suggest: (path, request, signal) =>
      searching.run({ path, request }, { name: 'suggest', ...(signal && { signal }) }),
    apply: (path, changes) => writing.run({ path, changes }, { name: 'apply' }),
    readState: (path) => writing.run({ path }, { name: 'readState' }),
    async close(path) {
      for (const thread of [searching, writing])
        if (thread.threads.length > 0) await thread.run({ path }, { name: 'close' })
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([searching.destroy(), writing.destroy()])
    },
  }
}

/** Creates a single thread. It keeps files open and their columns in memory, so a second thread would hold everything twice. */
const createThread = (maxQueue: number) =>
  new Piscina({
    filename: new URL('./mirror-tasks.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    maxQueue,
    idleTimeout: Number.POSITIVE_INFINITY,
  })
