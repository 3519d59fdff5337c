import type { Level, Logger } from 'pino'
import { throttleLog } from '../lifecycle/log-throttle.ts'
import { isStoreUnavailable } from '../storage/store-errors.ts'

/** Returns a function that logs the errors of a background job. While the store is unavailable, it logs that once a minute. */
export function logJobErrors(
  logger: Pick<Logger, Level>,
  message: string,
  now: () => number,
  level: Level = 'warn',
): (error: unknown) => void {
  const log = (err: unknown) => logger[level]({ err }, message)
  const logOutage = throttleLog(log, { now })
  return (error) => (isStoreUnavailable(error) ? logOutage(error) : log(error))
}
