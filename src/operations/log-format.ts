import { type LoggerOptions, pino } from 'pino'

/** How the lines of a log are written. By default as pino does: levels are numbers, times milliseconds since the epoch. */
export interface LogFormat {
  /** Levels are names: `"info"` rather than 30. */
  levelNames?: boolean
  /** Times are RFC 3339, in UTC. */
  rfc3339?: boolean
}

const INFO = 30

/** Returns the settings of a logger that writes lines in this format. */
export const toLoggerFormat = ({ levelNames, rfc3339 }: LogFormat): LoggerOptions => ({
  ...(levelNames && { formatters: { level: (level) => ({ level }) } }),
  ...(rfc3339 && { timestamp: pino.stdTimeFunctions.isoTime }),
})

/** Creates the function that begins a line of level info, with its time in milliseconds since the epoch. Its members and `}` follow. */
export function createInfoLineStart({ levelNames, rfc3339 }: LogFormat): (time: number) => string {
  const level = `{"level":${levelNames ? '"info"' : INFO},"time":`
  return rfc3339 ? (time) => `${level}"${new Date(time).toISOString()}"` : (time) => `${level}${time}`
}
