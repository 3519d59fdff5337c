/** A line of the log, as far as it can be read. */
export interface LogLine {
  text: string
  /** The members; `null`: the line is no JSON object, such as a message of Node itself. */
  members: Readonly<Record<string, unknown>> | null
}

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevel = (typeof logLevels)[number]

export function parseLogLine(text: string): LogLine {
  try {
    const members: unknown = JSON.parse(text)
    return { text, members: typeof members === 'object' ? (members as LogLine['members']) : null }
  } catch {
    return { text, members: null }
  }
}

const LEVEL_STEP = 10

/** Returns the name of a level, which the log has as a name or a number. */
export function toLevelName(level: unknown): LogLevel | null {
  const name = typeof level === 'number' ? logLevels[level / LEVEL_STEP - 1] : level
  return logLevels.find((known) => known === name) ?? null
}

export interface LogFilter {
  /** In any letter case. */
  requestId: string | null
  /** This level and those above. */
  level: LogLevel
}

/** Returns whether a line passes the filter. A line that is no JSON passes only one that asks for everything. */
export function matchesFilter({ members }: LogLine, { requestId, level }: LogFilter): boolean {
  if (members === null) return requestId === null && level === 'trace'
  const name = toLevelName(members.level)
  if (name !== null && logLevels.indexOf(name) < logLevels.indexOf(level)) return false
  return requestId === null || String(members.request_id ?? '').toLowerCase() === requestId.toLowerCase()
}
