import pLimit, { type LimitFunction } from 'p-limit'
import { UpstreamError } from '../errors.ts'
import type { RequestScope } from '../upstream/request-scope.ts'

export interface PictureQueues {
  /** Does the work in its turn. Rejects at once when the line is full, and with 'overloaded' when its asker's time is over before its turn. */
  run<T>(line: string, requestScope: RequestScope, work: () => Promise<T>): Promise<T>
}

/** In less there is nothing to be had from a back office. */
const LEAST_MS = 50

const full = (why: string) => new UpstreamError('overloaded', why, { retryAfterMs: 1_000 })

/** A line each, so that no merchant waits behind another, and each leaves its back office room for everything else. */
export function createPictureQueues({ atOnce, longest }: { atOnce: number; longest: number }): PictureQueues {
  const lines = new Map<string, { places: LimitFunction; standing: number }>()
  return {
    async run(name, requestScope, work) {
      const line = lines.get(name) ?? { places: pLimit(atOnce), standing: 0 }
      lines.set(name, line)
      if (line.standing >= atOnce + longest) throw full(`${name}: ${line.standing} pictures are waiting`)
      line.standing += 1
      try {
        return await line.places(() => {
          if (requestScope.leftMs() < LEAST_MS) throw full(`${name}: no turn in time for a picture`)
          return work()
        })
      } finally {
        line.standing -= 1
      }
    },
  }
}
