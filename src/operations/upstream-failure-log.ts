import type { Logger } from 'pino'
import type { FailureListener } from '../upstream/guard.ts'

const LINES_A_SECOND = 10

/**
 * What a failing system said, for whoever is on call: the client is told a code alone. A few lines a second of each system; how many were
 * left out is said with the next.
 */
export function createUpstreamFailureLog(logger: Logger, now: () => number): FailureListener {
  const systems = new Map<string, { second: number; lines: number; left: number }>()
  return (system, requestId, { failure, message }) => {
    const second = Math.floor(now() / 1_000)
    const seen = systems.get(system) ?? { second, lines: 0, left: 0 }
    systems.set(system, seen)
    if (seen.second !== second) Object.assign(seen, { second, lines: 0 })
    seen.lines += 1
    if (seen.lines > LINES_A_SECOND) {
      seen.left += 1
      return
    }
    logger.warn({ request_id: requestId, system, failure, said: message, left_out: seen.left }, 'upstream failed')
    seen.left = 0
  }
}
