import pLimit, { type LimitFunction } from 'p-limit'
import { UpstreamError } from '../errors.ts'
import type { RequestScope } from '../upstream/request/request-scope.ts'

export interface PictureQueues {
  /** Runs the work in turn. Rejects with 'overloaded' when the queue is full, or when the request scope has no time left at its turn. */
  run<T>(name: string, requestScope: RequestScope, work: () => Promise<T>): Promise<T>
}

/** A back office cannot respond in less time. */
const MIN_FETCH_MS = 50

const overloaded = (reason: string) => new UpstreamError('overloaded', reason, { retryAfterMs: 1_000 })

/** One queue per name, so that no tenant waits for another, and pictures do not crowd out other calls to a back office. */
export function createPictureQueues({
  concurrency,
  maxQueued,
}: {
  concurrency: number
  maxQueued: number
}): PictureQueues {
  const queues = new Map<string, { limit: LimitFunction; size: number }>()
  return {
    async run(name, requestScope, work) {
      const queue = queues.get(name) ?? { limit: pLimit(concurrency), size: 0 }
      queues.set(name, queue)
      if (queue.size >= concurrency + maxQueued) throw overloaded(`${name}: ${queue.size} pictures are waiting`)
      queue.size += 1
      try {
        return await queue.limit(() => {
          if (requestScope.leftMs() < MIN_FETCH_MS) throw overloaded(`${name}: the queue for pictures is too slow`)
          return work()
        })
      } finally {
        queue.size -= 1
      }
    },
  }
}
