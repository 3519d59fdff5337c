/** A line of the log, as far as it can be read. */
export interface LogLine {
  text: string
  /** The members; `null`: the line is no record of the log, such as a message of Node itself. */
  members: Readonly<Record<string, unknown>> | null
}

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
