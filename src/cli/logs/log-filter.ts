import { type LogLevel, toLevelNumber } from './log-level.ts'
import type { LogLine } from './log-line.ts'

export interface LogFilter {
  /** In any letter case. */
  requestId: string | null
  /** This level and those above. */
  level: LogLevel
}

/** Returns whether a line passes the filter. A line that is no record, or of no known level, passes only one for every level. */
export function matchesFilter({ members }: LogLine, { requestId, level }: LogFilter): boolean {
  if (members === null) return requestId === null && level === 'trace'
  if (level !== 'trace' && (toLevelNumber(members.level) ?? 0) < toLevelNumber(level)!) return false
  if (requestId === null) return true
  const { request_id } = members
  return typeof request_id === 'string' && request_id.toLowerCase() === requestId.toLowerCase()
}
