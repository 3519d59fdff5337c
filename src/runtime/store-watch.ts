import type { Logger } from 'pino'
import type { Database } from '../storage/database.ts'
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
