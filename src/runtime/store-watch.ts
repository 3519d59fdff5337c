import type { Level, Logger } from 'pino'
import { throttleLog } from '../lifecycle/log-throttle.ts'
import type { Database } from '../storage/database.ts'
import { isStoreUnavailable } from '../storage/store-errors.ts'
import type { StoreMonitor } from '../storage/store-monitor.ts'

export interface StoreWatchParts {
  db: Database
  store: StoreMonitor
  logger: Logger
  now: () => number
}

/** Logs when the store becomes unavailable, and when it is available again. */
export function watchStore({ db, store, logger, now }: StoreWatchParts): void {
  store.watch(db, {
    onBegin: ({ reason }, err) => logger.error({ reason, err }, 'the store is unavailable'),
    onEnd: ({ reason, beganAt }) =>
      logger.info({ reason, seconds: Math.round((now() - beganAt) / 1_000) }, 'the store is available again'),
  })
}

/** Returns a function that logs the errors of a background job. While the store is unavailable, it logs that once a minute. */
export function logStoreErrors(
  logger: Pick<Logger, Level>,
  message: string,
  now: () => number,
  level: Level = 'warn',
): (error: unknown) => void {
  const log = (err: unknown) => logger[level]({ err }, message)
  const logOutage = throttleLog(log, { now })
  return (error) => (isStoreUnavailable(error) ? logOutage(error) : log(error))
}
