export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevel = (typeof logLevels)[number]

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
