/** A line of the log, as far as it can be read. */
export interface LogLine {
  text: string
  /** The members; `null`: the line is no record of the log, such as a message of Node itself. */
  members: Readonly<Record<string, unknown>> | null
}

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevel = (typeof logLevels)[number]

export function parseLogLine(text: string): LogLine {
  try {
    const value: unknown = JSON.parse(text)
    return { text, members: isLogRecord(value) ? value : null }
  } catch {
    return { text, members: null }
  }
}

/** Each line that Forecourt writes has a level. */
const isLogRecord = (value: unknown): value is NonNullable<LogLine['members']> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && 'level' in value

const LEVEL_STEP = 10

/** Returns the name of a level, which the log has as a name or a number. */
export function toLevelName(level: unknown): LogLevel | null {
  if (typeof level === 'number') return logLevels[level / LEVEL_STEP - 1] ?? null
  const name = typeof level === 'string' ? level.toLowerCase() : null
  return logLevels.find((known) => known === name) ?? null
}

/** Returns the number of a level; `null`: it has none. */
export function toLevelNumber(level: unknown): number | null {
  if (typeof level === 'number') return level
  const name = toLevelName(level)
  return name === null ? null : (logLevels.indexOf(name) + 1) * LEVEL_STEP
}

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
