import type { Logger } from 'pino'
import type { FailureListener } from '../upstream/guard/guard.ts'

const MAX_LINES_PER_SECOND = 10

/**
 * Logs what failing systems said, for operators; the client gets an error code only. A few lines a second per system; the next line says
 * how many were left out.
 */
export function createUpstreamFailureLog(logger: Logger, now: () => number): FailureListener {
  const systems = new Map<string, { second: number; lines: number; omitted: number }>()
  return (system, requestId, { failure, message }) => {
    const second = Math.floor(now() / 1_000)
    const entry = systems.get(system) ?? { second, lines: 0, omitted: 0 }
    systems.set(system, entry)
    if (entry.second !== second) Object.assign(entry, { second, lines: 0 })
    entry.lines += 1
    if (entry.lines > MAX_LINES_PER_SECOND) {
      entry.omitted += 1
      return
    }
    logger.warn({ request_id: requestId, system, failure, said: message, left_out: entry.omitted }, 'upstream failed')
    entry.omitted = 0
  }
}
